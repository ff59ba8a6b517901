import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Jwks, verifyReceipt } from "@/lib/client/receipts";
import { codeOf } from "./markdown-code-blocks";

/** One receipt with a verifier's expectations. `keys` are the service's keys. */
export type Check = {
  receipt: string;
  keys: unknown;
  wanted: { issuer: string; clientId: string; owner: string; approvalId: string; contentHash: string } & {
    /** The values of the action, if the question has fields. */
    values?: Record<string, unknown>;
  };
};
export type Verdict = { ok: Record<string, unknown> } | { refused: string };

/**
 * Whether Python has the packages that the documented check needs. If not, prints a warning that
 * the check in Python is not tested.
 */
export function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import jwt, cryptography"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("The check in Python is not tested here: python3 with PyJWT and cryptography is missing.");
    return false;
  }
}

const documented = (language: string) => codeOf("docs/receipts.md", language, "Receipts");
/** Returns the checks, with the expected values under the names of the receipt's claims. */
const inClaims = (checks: Check[]) =>
  checks.map(({ receipt, keys, wanted: { issuer, clientId, approvalId, ...others } }) => ({
    ...{ receipt, keys, wanted: { iss: issuer, aud: clientId, sub: approvalId, ...others } },
  }));

/**
 * Runs the documented check in TypeScript, in a process without other code of ours. The keys are
 * passed in, not fetched.
 */
export const inTypeScript = (checks: Check[]): Verdict[] =>
  run(
    "check.mts",
    `${documented("ts").replace(/^const keys = .*$/m, "let keys: any;")}
import { createLocalJWKSet } from "jose";
import { readFileSync } from "node:fs";
const verdicts = [];
for (const { receipt, keys: given, wanted } of JSON.parse(readFileSync(0, "utf8"))) {
  keys = createLocalJWKSet({ keys: given });
  verdicts.push(await checkReceipt(receipt, wanted).then((ok) => ({ ok }), (error) => ({ refused: String(error) })));
}
console.log(JSON.stringify(verdicts));`,
    (file) => [process.execPath, ["--import", "tsx", file]],
    inClaims(checks),
  );

/** Runs the documented check in Python. */
export const inPython = (checks: Check[], python = "python3"): Verdict[] =>
  run(
    "check.py",
    `${documented("python").replace(/^keys = .*$/m, "keys = None")}
import json, sys
class Given:
    def __init__(self, keys):
        self.keys = keys
    def get_signing_key_from_jwt(self, receipt):
        kid = jwt.get_unverified_header(receipt).get("kid")
        return next(jwt.PyJWK(it) for it in self.keys if it["kid"] == kid)
verdicts = []
for it in json.load(sys.stdin):
    keys = Given(it["keys"])
    try:
        verdicts.append({"ok": check_receipt(it["receipt"], it["wanted"])})
    except Exception as error:
        verdicts.append({"refused": repr(error)})
print(json.dumps(verdicts))
`,
    (file) => [python, [file]],
    inClaims(checks),
  );

/** Runs our client's check. */
export const inClient = (checks: Check[]): Promise<Verdict[]> =>
  Promise.all(
    checks.map(async ({ receipt, keys, wanted: { clientId, values = {}, ...wanted } }) => {
      const jwks = { keys } as Jwks;
      return verifyReceipt(receipt, { ...wanted, audience: clientId, jwks }).then(
        // verifyReceipt does not check who answered, and with which values.
        ({ resolution, yes }) =>
          yes(resolution.optionId ?? "", values) ? { ok: resolution } : { refused: "Not the owner's answer" },
        (error) => ({ refused: String(error) }),
      );
    }),
  );

function run(name: string, source: string, how: (file: string) => [string, string[]], checks: object[]): Verdict[] {
  const folder = mkdtempSync(join(tmpdir(), "countersign-receipts-"));
  try {
    const file = join(folder, name);
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(file, source);
    const [program, args] = how(file);
    return JSON.parse(execFileSync(program, args, { input: JSON.stringify(checks), encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
