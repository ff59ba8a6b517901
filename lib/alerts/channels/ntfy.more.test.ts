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

/** The first version of ntfy that can delete messages. */
const version = "v2.16.0";

/**
 * Returns the folder with ntfy's sources: NTFY_SOURCE if set, or else the module that Go downloads.
 * @returns undefined if the download fails
 */
async function sources(): Promise<string | undefined> {
  if (process.env.NTFY_SOURCE) return process.env.NTFY_SOURCE;
  const { out } = await runSystem("go", ["mod", "download", "-json", `heckel.io/ntfy/v2@${version}`]);
  return (JSON.parse(out || "{}") as { Dir?: string }).Dir;
}

async function built(module: string, folder: string): Promise<string> {
  const copy = join(folder, "sources");
  cpSync(module, copy, { recursive: true });
  // The copied folders are read-only, like those in Go's module cache. The build embeds ntfy's web
  // pages, so the test adds empty files in their place.
  for (const each of [copy, join(copy, "server")]) chmodSync(each, 0o755);
  for (const pages of ["site", "docs"]) {
    mkdirSync(join(copy, "server", pages), { recursive: true });
    writeFileSync(join(copy, "server", pages, "index.html"), "");
  }
  const program = join(folder, "ntfy");
  const made = await runSystem("go", ["build", "-o", program, "."], { cwd: copy });
  if (made.status !== 0) throw new Error(made.err);
  return program;
}

testWith(
  ["go", "gcc"],
  "withdraws an answered question's message from an ntfy server",
  async (skip) => {
    const module = await sources();
    if (!module) return skip("Go’s registry does not have ntfy here; NTFY_SOURCE can name a folder with its sources");
    const folder = mkdtempSync(join(tmpdir(), "countersign-ntfy-"));
    const program = await built(module, folder);
    const port = await freePort("127.0.0.1");
    const url = `http://127.0.0.1:${port}`;
    const env = {
      NTFY_LISTEN_HTTP: `127.0.0.1:${port}`,
      NTFY_BASE_URL: url,
      NTFY_CACHE_FILE: join(folder, "cache.db"),
      NTFY_AUTH_FILE: join(folder, "auth.db"),
      NTFY_AUTH_DEFAULT_ACCESS: "deny-all",
      NTFY_PASSWORD: "a password of nobody's",
    };
    const server = spawn(program, ["serve"], { stdio: "ignore", cwd: folder, env: { ...process.env, ...env } });
    try {
      configure({ ALLOW_PRIVATE_FETCH: url });
      const healthy = () => fetch(`${url}/v1/health`).then((reply) => reply.ok);
      await expect.poll(() => healthy().catch(() => false)).toBe(true);
      await runSystem(program, ["user", "add", "--role=admin", "olive"], { cwd: folder, env });
      const made = await runSystem(program, ["token", "add", "olive"], { cwd: folder, env });
      const token = /tk_\w+/.exec(made.out + made.err)?.[0] ?? "";
      const headers = { authorization: `Bearer ${token}` };
      type Event = { event: string; title?: string; priority?: number; click?: string; sequence_id?: string };
      const events = async (): Promise<Event[]> => {
        const text = await (await fetch(`${url}/olive-asks/json?poll=1`, { headers })).text();
        return text
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      };

      const { owner, app, name } = await anAppWith("approvals:write");
      const topic = `${url}/olive-asks`;
      const { id: wrong } = await addChannel(owner, "ntfy", { url: topic, token: "tk_wrong" });
      await expect(testChannel(owner, wrong)).rejects.toThrow(/rejected the access token/);
      const { id: none } = await addChannel(owner, "ntfy", { url: topic, name: "Nobody" });
      await expect(testChannel(owner, none)).rejects.toThrow(/ntfy denied access to the topic/);
      const { id: right } = await addChannel(owner, "ntfy", { url: topic, token, name: "Right" });
      await testChannel(owner, right);
      expect(await events()).toMatchObject([{ event: "message", title: "Alerts are working" }]);

      const { id } = await submitApproval(app, aQuestion);
      await alertOwners();
      await alertOwners();
      const told = (await events()).filter(({ title }) => title === `New question from ${name}`);
      expect(told).toMatchObject([{ event: "message", priority: 3, click: expect.stringContaining(id) }]);
      await answerApproval(owner, id, { kind: "option", optionId: "ship" });
      await alertOwners();
      // Servers before 2.16 delete nothing. The channel still counts as working.
      const { status } = await fetch(`${topic}/no-such-message`, { method: "DELETE", headers });
      const gone = (await events()).filter(({ event }) => event === "message_delete");
      expect(gone.length > 0).toBe(![404, 405].includes(status));
      const failing = (await listChannels(owner)).filter(({ failingSince }) => failingSince);
      expect(failing.filter((channel) => channel.id === right)).toEqual([]);
    } finally {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  900_000,
);
