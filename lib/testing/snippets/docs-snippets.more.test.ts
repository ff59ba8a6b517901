import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { transform } from "esbuild";
import { expect } from "vitest";
import { freePort } from "@/lib/net/free-port";
import { publicKeys, signingKey } from "@/lib/receipts/receipt-keys";
import { revokeReceiptKey } from "@/lib/receipts/revoke-receipt-key";
import { npmFolder } from "../npm-install-folder";
import { ours, pythonWith } from "../python-environment";
import { inPython } from "../receipt-verifiers";
import { goModuleOf } from "../release/one-version";
import { type Ran, runSystem, testWith } from "../test-with-programs";
import { actOnce, mainCalls, quickStart, quickStartCommands, receiptCheck, receiver } from "./docs-snippets";
import { aFolder, anAnswer, anAnsweredApp, baseUrl, expectMainCalls, expectReceives } from "./snippet-service";

const timeoutMs = 600_000;
const out = ({ status, out, err }: Ran) => {
  expect(status, `${out}\n${err}`).toBe(0);
  return out;
};

testWith(
  ["sh", "curl"],
  "runs the documentation’s curl commands",
  async () => {
    const app = await anAnsweredApp();
    const run = async (commands: string, ID = "") =>
      JSON.parse(
        out(await runSystem("sh", ["-ec", commands.replace(/^export .*$/gm, "")], { env: { ...app.environment, ID } })),
      );
    const asked = await run(quickStart("sh"));
    expect(asked).toMatchObject({ status: "resolved", resolution: { optionId: "ship", resolvedBy: "owner" } });

    const other = { ...app, ...(await anAnsweredApp()) };
    Object.assign(app.environment, other.environment);
    const options = [
      { id: "keep", label: "Keep it" },
      { id: "wait", label: "Wait" },
    ];
    let id = "";
    for (const { heading, code } of mainCalls("sh").slice(1)) {
      if (heading === "Resolve") id = await other.client.approvals.create({ question: "Keep build 417?", options });
      const said = await run(code, id);
      expect(said, heading).not.toHaveProperty("error");
      id ||= said.id;
    }
    await expectMainCalls(other);
  },
  timeoutMs,
);

/**
 * Follows the quick start like a new developer: downloads the client into an empty folder, saves
 * the program, and runs it.
 */
for (const [language, code, file, needs] of [
  ["TypeScript", "ts", "ship.mjs", ["sh", "curl", "npm"]],
  ["Python", "python", "ship.py", ["sh", "python3"]],
  ["Go", "go", "main.go", ["sh", "curl", "go"]],
  ["Java", "java", "Ship.java", ["sh", "java", "javac"]],
] as const)
  testWith(
    [...needs],
    `gets an answer by the quick start in ${language}`,
    async () => {
      const app = await anAnsweredApp();
      const cwd = aFolder(`quick-${code}`, file, quickStart(code));
      const commands = quickStartCommands(language).join("\n");
      const said = out(await runSystem("sh", ["-ec", commands], { cwd, env: app.environment }));
      expect(said).toMatch(language === "Java" ? /"optionId":"ship"/ : /^Shipping$/m);
    },
    timeoutMs,
  );

testWith(
  ["npm"],
  "runs the documentation’s programs in TypeScript",
  async (skip) => {
    const { folder, run } = await npmFolder({ jose: "6.2.18" }, skip);
    const port = await freePort();
    const programs = {
      quick: quickStart("ts"),
      calls: mainCalls("ts")
        .map(({ code }) => code)
        .join("\n"),
      hooks: receiver("ts", port),
      receipts: receiptCheck("ts"),
      once: actOnce("ts"),
    };
    for (const [name, code] of Object.entries(programs)) {
      writeFileSync(join(folder, `${name}.ts`), code);
      writeFileSync(join(folder, `${name}.mjs`), (await transform(code, { loader: "ts" })).code);
    }
    const how = "--noEmit --strict --skipLibCheck --target es2023 --module nodenext --types node --typeRoots";
    const files = Object.keys(programs).map((name) => `${name}.ts`);
    const tsc = resolve("node_modules/typescript/bin/tsc");
    out(await run(process.execPath, tsc, ...how.split(" "), resolve("node_modules/@types"), ...files));

    const node = async (name: string, env: Record<string, string>) =>
      out(await runSystem(process.execPath, [`${name}.mjs`], { cwd: folder, env }));
    const app = await anAnsweredApp();
    expect(await node("calls", app.environment)).toBe("Shipping\nresolved owner\nShip build 419?\n");
    await expectMainCalls(app);
    await expectReceives(process.execPath, ["hooks.mjs"], folder, port);
    expect(await node("once", (await anAnsweredApp()).environment)).toBe("Paying\n");

    const { receipt, clientId, owner, approvalId, contentHash } = await anAnswer();
    const wanted = { iss: baseUrl, aud: clientId, sub: approvalId, owner, contentHash };
    const check = (given: object) =>
      run(
        process.execPath,
        "--input-type=module",
        "-e",
        `import { checkReceipt } from "./receipts.mjs"; console.log((await checkReceipt(${JSON.stringify(receipt)}, ${JSON.stringify(given)})).optionId);`,
      );
    expect(out(await check(wanted))).toBe("ship\n");
    expect((await check({ ...wanted, owner: "own_other" })).err).toContain("The receipt's owner does not match");
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "runs the documentation’s programs in Python",
  async (skip) => {
    const programs = await pythonWith("snippets", [ours("receipts"), "flask>=3", "cryptography"], skip);
    const python = join(programs, "python");
    const cwd = aFolder("python");
    writeFileSync(
      join(cwd, "calls.py"),
      mainCalls("python")
        .map(({ code }) => code)
        .join("\n"),
    );
    const port = await freePort();
    writeFileSync(join(cwd, "hooks.py"), receiver("python", port));
    const app = await anAnsweredApp();
    expect(out(await runSystem(python, ["calls.py"], { cwd, env: app.environment }))).toBe(
      "Shipping\nresolved owner\nShip build 419?\n",
    );
    await expectMainCalls(app);
    await expectReceives(python, ["hooks.py"], cwd, port);
    writeFileSync(join(cwd, "once.py"), actOnce("python"));
    const once = () => runSystem(python, ["once.py"], { cwd, env: app.environment });
    expect(out(await once())).toBe("Paying\n");
    expect((await once()).err).toContain("An earlier attempt at this call may have taken effect");

    const { receipt, clientId, owner, approvalId, contentHash } = await anAnswer();
    const wanted = { issuer: baseUrl, clientId, owner, approvalId, contentHash };
    const keys = await publicKeys();
    const [head, body] = receipt.split(".");
    const verdicts = inPython(
      [
        { receipt, keys, wanted },
        { receipt, keys, wanted: { ...wanted, owner: "own_other" } },
        { receipt, keys, wanted: { ...wanted, contentHash: undefined as never } },
        { receipt: `${head}.${body}.${"A".repeat(86)}`, keys, wanted },
      ],
      python,
    );
    expect(verdicts.map((it) => ("ok" in it ? it.ok.optionId : "refused"))).toEqual([
      "ship",
      "refused",
      "refused",
      "refused",
    ]);
  },
  timeoutMs,
);

testWith(
  ["go"],
  "runs the documentation’s programs in Go",
  async (skip) => {
    if (!existsSync("clients/go/go.mod")) skip("needs clients/go");
    const app = await anAnsweredApp();
    const port = await freePort();
    const [setUp, ...calls] = mainCalls("go").map(({ code }) => code);
    const inMain = (setUp ?? "").replace("// Put the calls below here.", calls.join("\n"));
    const { receipt, clientId, owner, approvalId, question } = await anAnswer();
    const options = question.options.map(({ id, label }) => `{ID: "${id}", Label: "${label}"}`).join(", ");
    const content = `countersign.ApprovalRequest{Question: "${question.question}", Options: []countersign.Option{${options}}}`;
    const checks = `${receiptCheck("go").replace('"context"', '"context"\n\t"fmt"\n\t"os"')}
func main() {
	receipt, err := checkReceipt(context.Background(), "${receipt}", "${clientId}", os.Args[1], "${approvalId}", ${content})
	fmt.Println(err == nil && receipt.Yes("ship"), err)
}
`;
    const run = async (name: string, code: string, ...args: string[]) => {
      const cwd = aFolder(`go-${name}`, "main.go", code);
      const [, version = "1.23"] = /^go (.*)$/m.exec(readFileSync("clients/go/go.mod", "utf8")) ?? [];
      const package_ = goModuleOf(".");
      writeFileSync(
        join(cwd, "go.mod"),
        `module example\n\ngo ${version}\n\nrequire ${package_} v0.0.0\n\nreplace ${package_} => ${resolve("clients/go")}\n`,
      );
      return {
        cwd,
        said:
          args[0] === "build" ? undefined : await runSystem("go", ["run", ".", ...args], { cwd, env: app.environment }),
      };
    };
    expect(out((await run("calls", inMain)).said as Ran)).toBe("true ship  \nresolved owner\nShip build 419?\n");
    await expectMainCalls(app);
    expect(out((await run("receipts", checks, owner)).said as Ran)).toBe("true <nil>\n");
    expect(out((await run("receipts", checks, "own_other")).said as Ran)).toMatch(/^false /);
    expect(out((await run("once", actOnce("go"))).said as Ran)).toBe("Paying\n");
    expect(((await run("once", actOnce("go"))).said as Ran).err).toContain("may have taken effect");
    const { cwd } = await run("hooks", receiver("go", port), "build");
    await expectReceives("go", ["run", "."], cwd, port);
  },
  timeoutMs,
);

testWith(
  ["sh", "curl", "openssl"],
  "uses an answer with only its receipt, by the documented command",
  async () => {
    const { receipt } = await anAnswer();
    const use = () => runSystem("sh", ["-ec", actOnce("sh")], { cwd: aFolder("use"), env: { RECEIPT: receipt } });
    expect(JSON.parse(out(await use()))).toEqual({ usedAt: expect.any(Number), receipt: expect.any(String) });
    const again = await use();
    expect([again.status === 0, JSON.parse(again.out)]).toEqual([
      false,
      expect.objectContaining({ details: [expect.objectContaining({ reason: "used", usedBy: "receipt" })] }),
    ]);
  },
  timeoutMs,
);

testWith(
  ["java", "javac"],
  "runs the documentation’s programs in Java",
  async () => {
    const java = (file: string, code: string, env: Record<string, string>) =>
      runSystem("java", [file], { cwd: aFolder("java", file, code), env });
    const app = await anAnsweredApp();
    const [setUp = "", ...calls] = mainCalls("java").map(({ code }) => code);
    const whole = setUp.replace("// Put the calls below here.", calls.join("\n"));
    expect(
      out(await java("Calls.java", whole, app.environment))
        .split("\n")
        .slice(-3),
    ).toEqual(["200", "201", ""]);
    await expectMainCalls(app);

    const port = await freePort();
    const cwd = aFolder("java", "Hooks.java", receiver("java", port));
    await expectReceives("java", ["Hooks.java"], cwd, port);
  },
  timeoutMs,
);

testWith(
  ["java", "javac", "mvn"],
  "accepts only the owner’s yes in the documentation’s receipt check in Java",
  async (skip) => {
    const cwd = aFolder("jose4j");
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
    for (const artifact of ["org.bitbucket.b_c:jose4j:0.9.6", "org.slf4j:slf4j-api:1.7.36"]) {
      const brought = await runSystem("mvn", ["-q", plugin, `-Dartifact=${artifact}`, `-DoutputDirectory=${cwd}`], {
        cwd,
      });
      if (brought.status !== 0) skip(`Maven cannot bring ${artifact}`);
    }
    const { receipt, clientId, owner, approvalId, contentHash } = await anAnswer();
    const main = `public static void main(String[] args) throws Exception {
    System.out.println(check(args[0], args[1], args[2], args[3], args[4]).getClaimValueAsString("resolution"));
  }
}`;
    writeFileSync(join(cwd, "Receipts.java"), receiptCheck("java").trimEnd().replace(/\}$/, main));
    const check = (...wanted: string[]) =>
      runSystem("java", ["-cp", "*", "Receipts.java", receipt, ...wanted], { cwd });
    expect(out(await check(clientId, owner, approvalId, contentHash))).toContain("optionId=ship");
    for (const wanted of [
      ["app_other", owner, approvalId, contentHash],
      [clientId, "own_other", approvalId, contentHash],
      [clientId, owner, "apr_other", contentHash],
      [clientId, owner, approvalId, "sha256:0"],
    ])
      expect((await check(...wanted)).status).not.toBe(0);
    await revokeReceiptKey((await signingKey()).kid, new Date(0));
    const refused = await check(clientId, owner, approvalId, contentHash);
    expect(refused.status).not.toBe(0);
    expect(refused.err).toContain("UnresolvableKeyException");
  },
  timeoutMs,
);
