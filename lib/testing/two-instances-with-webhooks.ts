import { expect } from "vitest";
import { newDataDir, removeDataDir } from "./data-dir";
import { obeyed } from "./operator-command";
import { ownDatabase } from "./own-database";
import { type Service, startService } from "./service-process";
import { aReceiver, type Received } from "./webhook-receiver";

const email = "olive@example.com";
const question = { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] };

/**
 * Sets up instances that send webhooks: a database, a receiver, an owner, the owner's app, and the
 * first instance.
 */
export async function webhookCopies() {
  const folders = [newDataDir(0o700), newDataDir(0o700)] as const;
  const [postgres, receiver] = await Promise.all([ownDatabase(), aReceiver()]);
  const environment = {
    DATABASE_URL: postgres.url,
    SECRET: "one-for-both-copies-0123456789abcdef0123456789ab",
    ALLOW_PRIVATE_FETCH: receiver.origin,
    WEBHOOK_SCHEDULE: "0,1,1,1,1",
  };
  const start = (at: 0 | 1) => startService({ ...environment, DATA_DIR: folders[at] });
  const run = async (args: string[], input = "") =>
    (await obeyed({ ...environment, DATA_DIR: folders[0] }, args, input)).json();
  const first = await start(0);
  await run(["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"], "a password of some length");
  const clientId = String((await run(["app", "create", "--owner", email, "--name", "Courier"])).clientId);
  const scopes = ["write", "read", "resolve"].flatMap((name) => ["--scope", `approvals:${name}`]);
  const token = String((await run(["token", "create", "--owner", email, "--app", clientId, ...scopes])).token);

  async function call(copy: Service, path: string, body: object) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const reply = await fetch(`${copy.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect(reply.ok).toBe(true);
    return (await reply.json()) as { id: string };
  }
  return {
    first,
    receiver,
    email,
    clientId,
    /** The environment for operator commands next to the first instance. */
    given: { ...environment, DATA_DIR: folders[0] },
    start,
    run,
    /** Registers a webhook at the receiver for answers. */
    add: (path: string) =>
      run([
        ...["webhook", "add", "--owner", email, "--app", clientId, "--url", receiver.origin + path],
        ...["--type", "approval.resolved"],
      ]) as Promise<{ id: string; secret: string }>,
    /** Asks and answers a question at an instance. @returns the approval's ID */
    async answered(copy: Service): Promise<string> {
      const { id } = await call(copy, "/api/approvals", question);
      await call(copy, `/api/approvals/${id}/resolve`, { kind: "option", optionId: "yes" });
      return id;
    },
    /** The messages at a path that are about an approval. */
    arrived: (path: string, id: string) => receiver.at(path).filter((message) => about(message) === id),
    async kill(copy: Service) {
      copy.child.kill("SIGKILL");
      await copy.ended;
    },
    async end() {
      receiver.close();
      await postgres.end();
      for (const folder of folders) removeDataDir(folder);
    },
  };
}

/** Returns the ID of the approval that a message is about. */
export const about = (message: Received) => JSON.parse(message.body).data.id as string;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
