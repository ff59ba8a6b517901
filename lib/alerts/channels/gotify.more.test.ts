import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { freePort } from "@/lib/net/free-port";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { runSystem, testWith } from "@/lib/testing/test-with-programs";
import { alertOwners } from "../alert-loop";
import { addChannel, listChannels, testChannel } from "./channels";

const version = "v2.8.0";

/** Builds Gotify's server from its Go module. @returns the program's path */
async function built(folder: string): Promise<string> {
  const { out, err } = await runSystem("go", ["mod", "download", "-json", `github.com/gotify/server/v2@${version}`]);
  const { Dir: module } = JSON.parse(out || "{}") as { Dir?: string };
  if (!module) throw new Error(`Gotify could not be fetched: ${err}${out}`);
  const sources = join(folder, "sources");
  cpSync(module, sources, { recursive: true });
  // The copy is read-only, like Go's module cache. These folders get further files.
  for (const each of [sources, join(sources, "ui")]) chmodSync(each, 0o755);
  // The build embeds these files, but this test doesn't need Gotify's web pages.
  mkdirSync(join(sources, "ui/build"), { recursive: true });
  for (const page of ["index.html", "manifest.json"]) writeFileSync(join(sources, "ui/build", page), "");
  const program = join(folder, "gotify");
  const made = await runSystem("go", ["build", "-o", program, "."], { cwd: sources });
  if (made.status !== 0) throw new Error(made.err);
  return program;
}

testWith(
  ["go", "gcc"],
  "deletes an answered question's message from a Gotify server",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-gotify-"));
    const program = await built(folder);
    const port = await freePort("127.0.0.1");
    const server = spawn(program, [], {
      stdio: "ignore",
      cwd: folder,
      env: { ...process.env, GOTIFY_SERVER_LISTENADDR: "127.0.0.1", GOTIFY_SERVER_PORT: String(port) },
    });
    try {
      const url = `http://127.0.0.1:${port}`;
      configure({ ALLOW_PRIVATE_FETCH: url });
      const authorization = `Basic ${Buffer.from("admin:admin").toString("base64")}`;
      const json = async (path: string, body?: object) => {
        const headers = { authorization, "content-type": "application/json" };
        const given = body && { method: "POST", body: JSON.stringify(body) };
        return (await fetch(url + path, { headers, ...given })).json();
      };
      await expect.poll(() => json("/health").catch(() => null)).toMatchObject({ health: "green" });
      const { token } = await json("/application", { name: "Countersign" });
      const { token: clientToken } = await json("/client", { name: "Countersign" });
      const titles = async () => (await json("/message")).messages.map(({ title }: { title: string }) => title);

      const { owner, app, name } = await anAppWith("approvals:write");
      const { id: wrong } = await addChannel(owner, "gotify", { url, token, clientToken: "C-wrong" });
      await expect(testChannel(owner, wrong)).rejects.toThrow(/rejected the client token/);
      const { id: channel } = await addChannel(owner, "gotify", { url, token, clientToken, name: "Right" });
      await testChannel(owner, channel);
      expect(await titles()).toEqual(["Alerts are working", "Alerts are working"]);

      const { id } = await submitApproval(app, aQuestion);
      await alertOwners();
      await alertOwners();
      expect((await titles()).filter((title: string) => title === `New question from ${name}`)).toHaveLength(2);
      await answerApproval(owner, id, { kind: "option", optionId: "ship" });
      await alertOwners();
      expect((await titles()).filter((title: string) => title === `New question from ${name}`)).toHaveLength(1);
      expect((await listChannels(owner)).filter(({ failingSince }) => failingSince)).toEqual([]);
    } finally {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  900_000,
);
