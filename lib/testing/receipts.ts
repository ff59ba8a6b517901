import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Jwks, verifyReceipt } from "@/lib/client/receipts";
import { verifierInPython, verifierInTypeScript } from "@/lib/receipts/verifiers";

/** One receipt, and what somebody who has it wants to know; `keys` are those of the service. */
export type Check = {
  receipt: string;
  keys: unknown;
  wanted: { issuer: string; clientId: string; owner: string; approvalId: string; contentHash: string };
};
export type Verdict = { ok: Record<string, unknown> } | { refused: string };

/** Whether this computer has what the check in Python needs; where not, its test is skipped, and says so. */
export function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import cryptography"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("The check in Python is not tested here: python3 with the package cryptography is missing.");
    return false;
  }
}

/** The documented check in TypeScript, run by a process that knows nothing else of us. */
export const inTypeScript = (checks: Check[]): Verdict[] =>
  run(
    "check.mts",
    `${verifierInTypeScript}
import { readFileSync } from "node:fs";
const verdicts = JSON.parse(readFileSync(0, "utf8")).map(({ receipt, keys, wanted }) => {
  try { return { ok: checkReceipt(receipt, keys, wanted) }; } catch (error) { return { refused: String(error) }; }
});
console.log(JSON.stringify(verdicts));`,
    (file) => [process.execPath, ["--import", "tsx", file]],
    checks,
  );

/** The same in Python. */
export const inPython = (checks: Check[]): Verdict[] =>
  run(
    "check.py",
    `${verifierInPython}
import sys
from collections import defaultdict
verdicts = []
for it in json.load(sys.stdin):
    want = defaultdict(lambda: None, it["wanted"])
    try:
        verdicts.append({"ok": check_receipt(it["receipt"], it["keys"], want["issuer"], want["clientId"], want["owner"], want["approvalId"], want["contentHash"])})
    except Exception as error:
        verdicts.append({"refused": repr(error)})
print(json.dumps(verdicts))
`,
    (file) => ["python3", [file]],
    checks,
  );

/** The client's. */
export const inClient = (checks: Check[]): Promise<Verdict[]> =>
  Promise.all(
    checks.map(async ({ receipt, keys, wanted: { clientId, ...wanted } }) => {
      const jwks = { keys } as Jwks;
      return verifyReceipt(receipt, { ...wanted, audience: clientId, jwks }).then(
        // It tells whose answer it is, and leaves what follows to `yes`.
        ({ resolution }) => (resolution.resolvedBy === "owner" ? { ok: resolution } : { refused: "Not the owner's" }),
        (error) => ({ refused: String(error) }),
      );
    }),
  );

function run(name: string, source: string, how: (file: string) => [string, string[]], checks: Check[]): Verdict[] {
  const folder = mkdtempSync(join(tmpdir(), "countersign-receipts-"));
  try {
    const file = join(folder, name);
    writeFileSync(file, source);
    const [program, args] = how(file);
    return JSON.parse(execFileSync(program, args, { input: JSON.stringify(checks), encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
