import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { transform } from "esbuild";
import { expect } from "vitest";
import { codeOf } from "../markdown-code-blocks";
import { npmFolder } from "../npm-install-folder";
import { ours, pythonWith } from "../python-environment";
import { goModuleOf } from "../release/one-version";
import { type Ran, runSystem, testWith } from "../test-with-programs";
import { pinOwnerKeys, signedAnswerCheck } from "./docs-snippets";
import { aFolder, aSignedAnswer } from "./snippet-service";

const timeoutMs = 600_000;
const out = ({ status, out, err }: Ran) => {
  expect(status, `${out}\n${err}`).toBe(0);
  return out;
};
type Signed = Awaited<ReturnType<typeof aSignedAnswer>>;

/**
 * Asserts that a documented check accepts the signed answer, and rejects it for other content, for
 * an earlier time of the question, and after a change of the service's database.
 */
async function expectChecks(
  { asked, receipt, forged }: Signed,
  check: (receipt: string, asked: object) => Promise<Ran>,
) {
  expect(out(await check(receipt, asked)).trim()).toBe("true false");
  const { content } = asked;
  const other = await check(receipt, { ...asked, content: { ...content, question: "Pay invoice 8?" } });
  expect([other.status === 0, other.err]).toEqual([false, expect.stringMatching(/contentHash does not match/)]);
  const early = await check(receipt, { ...asked, askedAt: 1 });
  expect([early.status === 0, early.err]).toEqual([false, expect.stringMatching(/added after the question was asked/)]);
  const lie = await check(await forged(), asked);
  expect([lie.status === 0, lie.err]).toEqual([false, expect.stringMatching(/option does not match the answer/)]);
}

testWith(
  ["npm"],
  "verifies a signed answer by the documented check in TypeScript",
  async (skip) => {
    const { folder, run } = await npmFolder({}, skip);
    const signed = await aSignedAnswer();
    for (const [name, code] of Object.entries({ pin: pinOwnerKeys("ts"), check: signedAnswerCheck("ts") })) {
      writeFileSync(join(folder, `${name}.ts`), code);
      writeFileSync(join(folder, `${name}.mjs`), (await transform(code, { loader: "ts" })).code);
    }
    const how = "--noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node --typeRoots";
    const tsc = resolve("node_modules/typescript/bin/tsc");
    out(await run(process.execPath, tsc, ...how.split(" "), resolve("node_modules/@types"), "pin.ts", "check.ts"));
    out(await runSystem(process.execPath, ["pin.mjs"], { cwd: folder, env: signed.environment }));
    const main = `import { checkSignedAnswer } from "./check.mjs";
const { yes } = await checkSignedAnswer(process.argv[2], JSON.parse(process.argv[3]));
console.log(yes("pay"), yes("keep"));`;
    writeFileSync(join(folder, "main.mjs"), main);
    await expectChecks(signed, (receipt, asked) => run(process.execPath, "main.mjs", receipt, JSON.stringify(asked)));
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "verifies a signed answer by the documented check in Python",
  async (skip) => {
    const python = join(await pythonWith("signed", [ours("receipts")], skip), "python");
    const signed = await aSignedAnswer();
    const cwd = aFolder("signed-python", "pin.py", pinOwnerKeys("python"));
    out(await runSystem(python, ["pin.py"], { cwd, env: signed.environment }));
    const main = `${signedAnswerCheck("python")}
import sys
asked = json.loads(sys.argv[2])
signed = check_signed_answer(sys.argv[1], asked["app"], asked["content"], asked["approvalId"], asked["askedAt"])
print(str(signed.yes("pay")).lower(), str(signed.yes("keep")).lower())
`;
    writeFileSync(join(cwd, "main.py"), main);
    await expectChecks(signed, (receipt, asked) =>
      runSystem(python, ["main.py", receipt, JSON.stringify(asked)], { cwd }),
    );
  },
  timeoutMs,
);

testWith(
  ["go"],
  "verifies a signed answer by the documented check in Go",
  async () => {
    const signed = await aSignedAnswer();
    const [, version = "1.23"] = /^go (.*)$/m.exec(readFileSync("clients/go/go.mod", "utf8")) ?? [];
    const package_ = goModuleOf(".");
    const module = `module example\n\ngo ${version}\n\nrequire ${package_} v0.0.0\n\nreplace ${package_} => ${resolve("clients/go")}\n`;
    const program = (name: string, code: string) => {
      const cwd = aFolder(`signed-go-${name}`, "main.go", code);
      writeFileSync(join(cwd, "go.mod"), module);
      return cwd;
    };
    const pinned = program("pin", pinOwnerKeys("go"));
    out(await runSystem("go", ["run", "."], { cwd: pinned, env: signed.environment }));
    const main = `${signedAnswerCheck("go").replace('"context"', '"context"\n\t"encoding/json"\n\t"fmt"\n\t"log"\n\t"os"')}
func main() {
	var keys countersign.OwnerKeys
	var asked struct {
		App, ApprovalID string
		Content         countersign.ApprovalRequest
		AskedAt         countersign.Millis
	}
	pinned, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(pinned, &keys)
	}
	if err == nil {
		err = json.Unmarshal([]byte(os.Args[3]), &asked)
	}
	if err != nil {
		log.Fatal(err)
	}
	signed, err := checkSignedAnswer(context.Background(), os.Args[2], asked.App, asked.ApprovalID, asked.Content, keys, asked.AskedAt.Time())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(signed.Yes("pay"), signed.Yes("keep"))
}
`;
    const cwd = program("check", main);
    await expectChecks(signed, (receipt, asked) =>
      runSystem("go", ["run", ".", join(pinned, "owner-keys.json"), receipt, JSON.stringify(asked)], { cwd }),
    );
  },
  timeoutMs,
);

testWith(
  ["sh"],
  "verifies a signed answer by the documented command",
  async () => {
    const signed = await aSignedAnswer();
    const cwd = aFolder("signed-command", "receipt.txt", signed.receipt);
    writeFileSync(join(cwd, "owner-keys.json"), JSON.stringify(await signed.client.ownerKeys()));
    const command = codeOf("docs/signed-answers.md", "sh", "Verify a signed answer")
      .replace("countersign verify", `"${process.execPath}" "${resolve("lib/cli/countersign.mjs")}" verify`)
      .replace("https://yes.example.com", signed.environment.COUNTERSIGN_URL)
      .replace("2026-11-27T09:30:00Z", new Date(signed.asked.askedAt).toISOString());
    expect(out(await runSystem("sh", ["-ec", command], { cwd }))).toContain(
      'Verified: the owner chose the option "pay".',
    );
  },
  timeoutMs,
);
