import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { list } from "tar";
import { expect } from "vitest";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "./answer-approval";
import { startFront } from "./api-server";
import { anAppWith } from "./factories";
import { newestArchive } from "./newest-client-archive";
import { npmFolder } from "./npm-install-folder";
import { runSystem, testWith } from "./test-with-programs";

const { port } = await startFront();

testWith(["npm"], "passes publint and attw with the npm package", async (skip) => {
  const { run } = await npmFolder({ publint: "0.3.25", "@arethetypeswrong/cli": "0.18.5" }, skip);
  const linted = await run("node_modules/.bin/publint", "countersign.tgz", "--strict");
  expect([linted.status, linted.out]).toEqual([0, expect.stringContaining("All good!")]);
  const typed = await run("node_modules/.bin/attw", "countersign.tgz", "--no-color", "--no-emoji");
  expect([typed.status, typed.out]).toEqual([0, expect.stringContaining("No problems found")]);
});

testWith(["npm"], "publishes the same npm package that the service hosts", async () => {
  const packed = await runSystem("npm", ["pack", "--json", "--dry-run"], { cwd: "clients/typescript" });
  expect(packed.status, packed.err).toBe(0);
  const [{ files }] = JSON.parse(packed.out.slice(packed.out.indexOf("[\n"))) as [
    { files: { path: string; size: number }[] },
  ];
  const served: [string, number][] = [];
  list({
    file: join("public/client", newestArchive("countersign.tgz")),
    sync: true,
    onReadEntry: ({ path, size }) => served.push([path.replace("package/", ""), size]),
  });
  expect(files.map(({ path, size }) => [path, size]).sort()).toEqual(served.sort());
});

const program = `
const [baseUrl, token, jwks] = process.argv.slice(2);
const owner = new Countersign({ baseUrl, token });
const receipt = { issuer: "http://localhost:3000", jwks: JSON.parse(jwks) };
const options = { receipt, onQuestion: () => undefined };
const main = async () => {
  console.log(await new Gate(owner, options).run({ id: "1", name: "ship", input: { build: 418 } }, () => "shipped"));
  for await (const { question } of owner.approvals.list()) console.log(question);
  await owner.approvals.get("apr_none").catch((error) => console.log(error instanceof CountersignError, error.status));
  await verifyWebhook("{}", {}, "whsec_AAAA").catch((error) => console.log(error.name));
};
main();
`;

testWith(["npm"], "runs the npm package in all supported versions of Node.js", async (skip) => {
  const node = `npm:node-${process.platform}-${process.arch}`;
  const { folder } = await npmFolder({ "node-18": `${node}@18.20.8`, "node-22": `${node}@22.23.3` }, skip);
  const names = "{ Countersign, CountersignError, verifyWebhook }";
  writeFileSync(
    join(folder, "main.mjs"),
    `import ${names} from "countersign";\nimport { Gate } from "countersign/gate";${program}`,
  );
  writeFileSync(
    join(folder, "main.cjs"),
    `const ${names} = require("countersign");\nconst { Gate } = require("countersign/gate");${program}`,
  );
  for (const node of [process.execPath, ...["18", "22"].map((it) => nodeOf(folder, it))]) {
    for (const file of ["main.mjs", "main.cjs"]) {
      const { token, owner } = await anAppWith("approvals:write", "approvals:read");
      const args = [file, `http://127.0.0.1:${port}`, token, JSON.stringify({ keys: await publicKeys() })];
      const running = runSystem(node, args, { cwd: folder });
      const headers = { authorization: `Bearer ${token}` };
      const pending = async () => {
        const reply = await fetch(`http://127.0.0.1:${port}/api/approvals`, { headers });
        return ((await reply.json()) as { data: { _id: string }[] }).data[0]?._id;
      };
      const asked = expect.poll(pending).toBeDefined();
      await Promise.race([asked, running]);
      const id = await pending();
      if (id) await answerApproval(owner, id, { kind: "option", optionId: "approve" });
      const { status, out, err } = await running;
      expect({ node, file, status, out, err: err.replace(/^\(.*Warning.*\n|\(Use `node.*\n/gm, "") }).toEqual({
        ...{ node, file, status: 0, err: "" },
        out: "shipped\nRun ship?\ntrue 404\nVerificationError\n",
      });
    }
  }
});
const nodeOf = (folder: string, version: string) => join(folder, `node_modules/node-${version}/bin/node`);
