import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { operations } from "@/lib/api/operation-registry";
import { type Scope, scopeNames } from "@/lib/scopes";
import { startFront } from "./api-server";
import { anAppWith } from "./factories";
import { npmFolder } from "./npm-install-folder";
import { collectionFile } from "./postman-collection";
import { testWith } from "./test-with-programs";

const { port } = await startFront();
const timeoutMs = 300_000;

type Report = {
  run: { failures: unknown[]; executions: { item: { name: string }; response: { code: number } }[] };
};

testWith(
  ["npm"],
  "runs every request of the collection with Newman",
  async (skip) => {
    const { folder, run } = await npmFolder({ newman: "6.2.2" }, skip);
    const { token } = await anAppWith(...(scopeNames as [Scope, ...Scope[]]));
    const variables = { baseUrl: `http://127.0.0.1:${port}`, token };
    const given = Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]);
    const report = ["--reporters", "json", "--reporter-json-export", "report.json"];
    const ran = await run("node_modules/.bin/newman", "run", resolve(collectionFile), ...given, ...report);
    const { failures, executions } = (JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as Report).run;
    expect([failures, ran.status], ran.out + ran.err).toEqual([[], 0]);
    expect(executions.map(({ item, response }) => `${item.name} ${response.code}`).sort()).toEqual(
      operations.map(({ summary, status = 200, requiresKey }) => `${summary} ${requiresKey ? 409 : status}`).sort(),
    );
  },
  timeoutMs,
);

/** A program that runs Bruno's own importer. */
const importing = `
import { readFileSync } from "node:fs";
import converters from "@usebruno/converters";
const { collection } = await converters.postmanToBruno(JSON.parse(readFileSync(process.argv[2], "utf8")));
process.stdout.write(JSON.stringify(collection));
`;
type Imported = {
  root: { request: { auth: { bearer: { token: string } }; vars: { req: { name: string }[] } } };
  items: { items: ImportedRequest[] }[];
};
type ImportedRequest = {
  name: string;
  request: { url: string; method: string; auth: { mode: string }; body: { json: string }; script: { res: string } };
};

testWith(
  ["npm"],
  "imports the complete collection into Bruno",
  async (skip) => {
    const { folder, run } = await npmFolder({ "@usebruno/converters": "0.23.0" }, skip);
    writeFileSync(join(folder, "import.mjs"), importing);
    const { status, out, err } = await run(process.execPath, "import.mjs", resolve(collectionFile));
    expect(status, err).toBe(0);
    const { root, items } = JSON.parse(out) as Imported;
    expect(root.request.auth.bearer.token).toBe("{{token}}");
    expect(root.request.vars.req.map(({ name }) => name)).toEqual(expect.arrayContaining(["baseUrl", "token"]));
    const made = items
      .flatMap((folder) => folder.items)
      .map(({ name, request }) => ({
        name,
        method: request.method,
        inherits: request.auth.mode === "inherit",
        body: request.method === "POST" ? JSON.parse(request.body.json) : undefined,
        keeps: request.script.res.includes('bru.setCollectionVar("'),
      }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    const meant = operations.map(({ summary, method, example, status }) => ({
      ...{ name: summary, method, inherits: true, keeps: status === 201 },
      body: method === "POST" ? example.body : undefined,
    }));
    expect(made.sort(byName)).toEqual(meant.sort(byName));
  },
  timeoutMs,
);
