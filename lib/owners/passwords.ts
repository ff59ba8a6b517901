import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { unavailable } from "@/lib/errors";
import { processSingleton } from "@/lib/work/process-singleton";

/**
 * The cost of scrypt. 2^17 blocks of 1 KiB take 128 MiB, and about a third of a second. Each hash
 * stores its cost, so the cost can be raised later.
 */
const cost = { logN: 17, r: 8, p: 1 };
const bytes = 32;
/**
 * At most two hashes are computed at a time, because each takes 128 MiB. If 40 callers are already
 * waiting, further ones get a 503.
 */
const concurrency = 2;
const maxWaiting = 40;

/**
 * Returns a password's hash as `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, with the salt and the hash
 * in base64url. Normalizes the password to NFKC, so that it matches on every system.
 * @throws {AppError} 503 if too many passwords are being checked
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return `scrypt$${cost.logN}$${cost.r}$${cost.p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** A dummy hash that is checked for unknown accounts, so that they take as long as known ones. */
const dummy = `scrypt$${cost.logN}$${cost.r}$${cost.p}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Whether the password matches the stored hash. Without a hash, takes the same time, and returns
 * false.
 * @throws {AppError} 503 if too many passwords are being checked
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt = "", hash = ""] = (stored ?? dummy).split("$");
  const found = await derive(password, Buffer.from(salt, "base64url"), {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(found, Buffer.from(hash, "base64url")) && stored !== undefined;
}

// One per process, because all hashes share the memory limit.
const hashing = processSingleton("hashing", () => ({ running: 0, waiting: [] as (() => void)[] }));

async function derive(password: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> {
  const line = hashing();
  if (line.running >= concurrency) {
    if (line.waiting.length >= maxWaiting) throw unavailable("Too many sign-ins at once. Try again in a moment.");
    await new Promise<void>((turn) => line.waiting.push(turn));
  } else line.running++;
  try {
    const N = 2 ** logN;
    return await new Promise((resolve, reject) =>
      scrypt(password.normalize("NFKC"), salt, bytes, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
        error ? reject(error) : resolve(hash),
      ),
    );
  } finally {
    const next = line.waiting.shift();
    if (next) next();
    else line.running--;
  }
}
