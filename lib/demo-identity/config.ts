import { createHmac, generateKeyPairSync, randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env, type ServiceSettings } from "@/lib/config/env";
import { freePort } from "@/lib/net/free-port";
import { processSingleton } from "@/lib/work/process-singleton";

/*
 * "Demo identity": a provider that `npm run seed` brings along, so that somebody new can link accounts and has none anywhere. It
 * runs on this computer, beside the service, where its file is.
 */

/** The provider while it answers: where, and us as it knows us. */
export type DemoIdentity = { origin: string; clientId: string; clientSecret: string };

const answering = processSingleton<{ now: DemoIdentity | undefined }>("Demo identity", () => ({ now: undefined }));

/** Where it answers now; absent where there is none. */
export const demoIdentity = (): DemoIdentity | undefined => answering().now;

export const setDemoIdentity = (demo: DemoIdentity | undefined): void => {
  answering().now = demo;
};

const kinds = ["mail", "calendar", "contacts", "files", "tasks"];

/** What owners may let it give, as it calls that. */
export const demoScopes: Record<string, readonly string[]> = Object.fromEntries(
  kinds.flatMap((kind) => [
    [`${kind}.read`, [`${kind}:read`]],
    [`${kind}.write`, [`${kind}:write`]],
  ]),
);

/** What is kept of it in a file of the data folder: where it listens, and what it and we know each other by. */
export type DemoConfig = { port: number; clientSecret: string; cookieKeys: string[]; keys: object[] };

/**
 * The folder that its file is in or would be. There is none where the operator has no data folder, nor where owners come from
 * other computers, whose browsers would look for it there.
 * @param settings as they were before the service filled them in
 */
export function demoFolder({ DATABASE_URL }: ServiceSettings): string | undefined {
  const { protocol, hostname } = new URL(env().publicUrl);
  const here = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return here && (!DATABASE_URL || process.env.DATA_DIR) ? env().dataDir : undefined;
}

const fileIn = (folder: string) => join(folder, "demo-identity.json");

/** Its file, where there is one. */
export function readDemo(folder: string): DemoConfig | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), "utf8")) as DemoConfig;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Turn it on: write its file, which only its owner may read. Whoever comes first wins. */
export async function enableDemo(folder: string): Promise<void> {
  const secret = () => randomBytes(32).toString("base64url");
  const port = await freePort();
  const unfinished = write(folder, { port, clientSecret: secret(), cookieKeys: [secret()], keys: [newSigningKey()] });
  try {
    linkSync(unfinished, fileIn(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished);
  }
}

/** A private key for signing (ES256), by a name of its own. */
export const newSigningKey = (): object => ({
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  use: "sig",
  alg: "ES256",
  kid: randomBytes(6).toString("hex"),
});

/** Have it listen elsewhere: something else has taken its port. */
export async function moveDemo(folder: string, kept: DemoConfig): Promise<void> {
  renameSync(write(folder, { ...kept, port: await freePort() }), fileIn(folder));
}

function write(folder: string, kept: DemoConfig): string {
  const unfinished = `${fileIn(folder)}.${randomBytes(4).toString("hex")}`;
  writeFileSync(unfinished, `${JSON.stringify(kept)}\n`, { mode: 0o600, flush: true });
  return unfinished;
}

/** What its process ends with when something else has its port. */
export const portTaken = 3;

/** Where it is and us as it knows us, going by its file. */
export const toDemoIdentity = ({ port, clientSecret }: DemoConfig): DemoIdentity => ({
  origin: `http://127.0.0.1:${port}`,
  clientId: "countersign",
  clientSecret,
});

/** What it answers to who asks whether it is the one: only who has its file can. */
export const demoProof = ({ clientSecret }: DemoConfig, question: string): string =>
  createHmac("sha256", clientSecret).update(`demo ${question}`).digest("base64url");

/** Whether it answers now, and not something else that has its port. */
export async function isDemoRunning(kept: DemoConfig): Promise<boolean> {
  const question = randomBytes(12).toString("base64url");
  const address = `${toDemoIdentity(kept).origin}/proof?${question}`;
  try {
    const reply = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(2_000) });
    return (await reply.text()) === demoProof(kept, question);
  } catch {
    return false;
  }
}
