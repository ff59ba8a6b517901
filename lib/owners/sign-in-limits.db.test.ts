import { randomInt } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { configure } from "@/lib/testing/change-settings";
import { anOwner } from "@/lib/testing/factories";
import { issueDeviceCookie } from "./device-cookie";
import { changePassword, reauthenticateWithPassword, signIn, signOutEverywhere } from "./owners";
import { makeRecoveryCodes, signInWithRecoveryCode } from "./recovery-codes";
import { createSession } from "./sessions";
import { limitedReauthentication, limitedSignIn } from "./sign-in-limits";
import { requestSignInLink } from "./sign-in-links";

const home = "203.0.113.7";
/** Returns an address in a random network. */
const elsewhere = () => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;
const wrong = "not the password, I fear";
const opening = (address = home) => ({ method: "password" as const, userAgent: "", address });
/**
 * Signs the owner in.
 * @returns the session's ID and the browser's device cookie
 */
const comeIn = ({ ownerId }: { ownerId: string }) => createSession({ ownerId, sessionVersion: 1 }, opening());
/** Makes a wrong guess without hashing, because the limits do not depend on hashes. */
const guess = (
  who: { email: string; address: string; browser?: string },
  step: "password" | "recovery_code" = "password",
) => limitedSignIn(step, who, () => Promise.reject(new AppError(401, "Wrong")));
const statusOf = (trying: Promise<unknown>): Promise<number> =>
  trying.then(
    () => 200,
    (error) => error.status ?? 500,
  );
/** Returns the number of guesses that reached the check. */
async function letThrough(times: number, who: () => { email: string; address: string; browser?: string }) {
  let through = 0;
  for (let time = 0; time < times; time++) through += Number((await statusOf(guess(who()))) === 401);
  return through;
}
/** Exhausts the limit for password guesses at this account. */
async function underFire(email: string) {
  await statusOf(guess({ email, address: elsewhere() }));
  await db.$executeRaw`UPDATE throttle SET expires_at = now() + interval '1 hour' WHERE key LIKE 'password-account/%'`;
}

beforeEach(() => db.throttle.deleteMany());

describe("guessing", () => {
  it("accepts a sign-in from the owner's known browser during an attack", async () => {
    const owner = await anOwner();
    const { browser } = await comeIn(owner);
    await underFire(owner.email);
    expect(await statusOf(signIn({ ...owner, address: elsewhere() }))).toBe(429);
    expect(await statusOf(signIn({ ...owner, address: elsewhere(), browser }))).toBe(200);
  });

  it("accepts a sign-in from a known browser even if guesses come from its address", async () => {
    const [first, second] = [await anOwner(), await anOwner()];
    const { browser } = await comeIn(second);
    let made = 0;
    const through = await letThrough(100, () => ({ email: `nobody-${made++}@example.com`, address: home }));
    expect(through).toBeGreaterThanOrEqual(60);
    expect(through).toBeLessThan(80);
    expect(await statusOf(signIn({ ...first, address: home }))).toBe(429);
    expect(await statusOf(signIn({ ...second, address: home, browser }))).toBe(200);
  });

  it("delays the owner's next sign-in by at most 18 seconds during a guessing attack", async () => {
    const owner = await anOwner();
    await underFire(owner.email);
    const refused = await signIn({ ...owner, address: elsewhere() }).catch((error) => error);
    expect(refused).toMatchObject({
      status: 429,
      message: expect.stringMatching(/^Too many attempts\. Try again in /),
    });
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(18);
    // Simulates that 18 seconds have passed, so that one more attempt is allowed.
    await db.$executeRaw`UPDATE throttle SET expires_at = now() + interval '882 seconds' WHERE key LIKE 'password-account/%'`;
    expect(await statusOf(signIn({ ...owner, address: elsewhere() }))).toBe(200);
  });

  it("limits guesses for one account to fifty", async () => {
    for (const email of [(await anOwner()).email, "nobody-at-all@example.com"]) {
      const tries = Array.from({ length: 80 }, () => statusOf(guess({ email, address: elsewhere() })));
      const through = (await Promise.all(tries)).filter((status) => status === 401).length;
      expect(through).toBeGreaterThanOrEqual(50);
      expect(through).toBeLessThan(56);
    }
  });

  it("limits guesses from one address for one account to ten", async () => {
    const [one, other] = [await anOwner(), await anOwner()];
    expect(await letThrough(14, () => ({ email: one.email, address: home }))).toBe(10);
    expect(await statusOf(signIn({ ...other, address: home }))).toBe(200);
    expect(await statusOf(signIn({ ...one, address: elsewhere() }))).toBe(200);
  });

  it("counts guesses with a stolen cookie only toward that cookie's limit", async () => {
    const owner = await anOwner();
    const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
    const [stolen, own] = [issueDeviceCookie("", entrance), issueDeviceCookie("", entrance)];
    expect(await letThrough(14, () => ({ email: owner.email, address: elsewhere(), browser: stolen }))).toBe(10);
    expect(await statusOf(signIn({ ...owner, address: home, browser: own }))).toBe(200);
    expect(await statusOf(signIn({ ...owner, address: home }))).toBe(200);
  });

  it("counts guesses at sign-in, recovery and reauthentication separately", async () => {
    const owner = await anOwner();
    const { codes } = await makeRecoveryCodes(owner);
    for (let time = 0; time < 14; time++) await statusOf(guess({ email: owner.email, address: home }));
    expect(await statusOf(signIn({ ...owner, address: home }))).toBe(429);
    const code = codes[0] as string;
    expect(await statusOf(signInWithRecoveryCode({ email: owner.email, code, address: home }))).toBe(200);
    const session = { email: owner.email, session: "ses_mine" };
    expect(await statusOf(reauthenticateWithPassword(session, { password: owner.password, address: home }))).toBe(200);
    const thief = { email: owner.email, session: "ses_stolen", address: home };
    const tries = Array.from({ length: 14 }, () =>
      statusOf(limitedReauthentication(thief, () => Promise.reject(new AppError(401, "Wrong")))),
    );
    expect((await Promise.all(tries)).filter((status) => status === 401)).toHaveLength(10);
    expect(await statusOf(reauthenticateWithPassword(session, { password: owner.password, address: home }))).toBe(200);
  });

  it("allows a signed-in owner to confirm their password during a guessing attack", async () => {
    const owner = await anOwner();
    await underFire(owner.email);
    const session = { email: owner.email, session: "ses_mine" };
    expect(
      await statusOf(reauthenticateWithPassword(session, { password: owner.password, address: elsewhere() })),
    ).toBe(200);
  });

  it("leaves other limits unchanged when one limit rejects a guess", async () => {
    const owner = await anOwner();
    await underFire(owner.email);
    for (let time = 0; time < 14; time++)
      expect(await statusOf(guess({ email: owner.email, address: home }))).toBe(429);
    await db.$executeRaw`DELETE FROM throttle WHERE key LIKE 'password-account/%'`;
    expect(await letThrough(14, () => ({ email: owner.email, address: home }))).toBe(10);
  });
});

describe("known browser", () => {
  it("stops recognizing a browser when the owner's sessions end", async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const { browser } = await comeIn(owner);
    // The limit for the account is used up, so only a known browser's guess is checked.
    const isKnown = async (email: string, cookie: string) => {
      await db.throttle.deleteMany();
      await underFire(email);
      return (await statusOf(guess({ email, address: home, browser: cookie }))) === 401;
    };
    expect(await isKnown(owner.email, browser)).toBe(true);
    expect(await isKnown(other.email, browser)).toBe(false);
    const made = [browser.replace(/.$/, (last) => (last === "A" ? "B" : "A")), "", "~~", "x".repeat(5000)];
    const old = browser.replace(/\.(\w+)\./, (_, issued) => `.${(Number.parseInt(issued, 36) - 9e7).toString(36)}.`);
    for (const cookie of [...made, old]) expect(await isKnown(owner.email, cookie)).toBe(false);
    await signOutEverywhere(owner);
    expect(await isKnown(owner.email, browser)).toBe(false);
  });

  it("recognizes a browser for the last five owners who used it", async () => {
    const owners = [];
    let browser = "";
    for (let nth = 0; nth < 6; nth++) {
      const owner = await anOwner();
      owners.push(owner);
      const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
      browser = (await createSession(entrance, { ...opening(), browser })).browser;
      expect(browser).not.toContain(owner.ownerId);
    }
    const passes = async ({ email }: { email: string }) => {
      await db.throttle.deleteMany();
      await underFire(email);
      return statusOf(guess({ email, address: home, browser }));
    };
    expect(await passes(owners[0] as { email: string })).toBe(429);
    for (const owner of owners.slice(1)) expect(await passes(owner)).toBe(401);
  });

  it("recognizes a browser even after a password change", async () => {
    const owner = await anOwner();
    const { id } = await comeIn(owner);
    const entrance = await changePassword(
      { ...owner, session: id },
      { current: owner.password, next: wrong, address: "192.0.2.1" },
    );
    const { browser } = await createSession(entrance, { ...opening(), instead: id });
    await underFire(owner.email);
    expect(await statusOf(signIn({ email: owner.email, password: wrong, address: home, browser }))).toBe(200);
  });

  it("sends a sign-in link to a known browser even during a flood of requests", async () => {
    configure({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "yes@acme.example" });
    try {
      const owner = await anOwner();
      const { browser } = await comeIn(owner);
      const ask = async (more: object) =>
        statusOf(
          requestSignInLink({ email: owner.email }, { address: elsewhere(), ...more }).then((it) => it.delivered),
        );
      for (let time = 0; time < 3; time++) expect(await ask({})).toBe(200);
      expect(await ask({})).toBe(429);
      expect(await ask({ browser })).toBe(200);
    } finally {
      configure({ SMTP_URL: undefined, MAIL_FROM: undefined });
    }
  });
});
