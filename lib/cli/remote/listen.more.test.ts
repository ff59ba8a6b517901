import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Countersign } from "@/lib/client/countersign";
import { freePort } from "@/lib/net/free-port";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { eventually } from "@/lib/testing/eventually";
import { finished, obeyed } from "@/lib/testing/operator-command";
import { ownDatabase } from "@/lib/testing/own-database";
import { runProgram, type Service, startService } from "@/lib/testing/service-process";
import { aReceiver, verified } from "@/lib/testing/webhook-receiver";

const folder = newDataDir();
const run = join(import.meta.dirname, "../run-typescript.mjs");
let database: Awaited<ReturnType<typeof ownDatabase>>;
let service: Service;
let client: Countersign;
let token = "";
let ownerId = "";

beforeAll(async () => {
  database = await ownDatabase();
  const environment = {
    DATABASE_URL: database.url,
    SECRET: "whose-events-are-forwarded-0123456789abcdef0123456789",
    DATA_DIR: folder,
  };
  service = await startService(environment);
  const email = "olive@example.com";
  const words = ["owner", "create", "--email", email, "--name", "Olive", "--password-stdin"];
  ownerId = (await obeyed(environment, words, "a password of some length")).json().ownerId as string;
  const scopes = ["approvals:write", "approvals:read", "approvals:resolve"].flatMap((scope) => ["--scope", scope]);
  const made = await obeyed(environment, ["app", "create", "--owner", email, "--name", "Hooked", "--token", ...scopes]);
  token = made.json().token as string;
  client = new Countersign({ baseUrl: service.url, token });
});
afterAll(async () => {
  await service.stop();
  await database.end();
  removeDataDir(folder);
});

/** Runs `listen` as on a developer's computer, with only a URL and a token, and no database. */
const listen = (args: string[], shown = token) =>
  runProgram([run, "lib/cli/main.ts", "listen", ...args], { COUNTERSIGN_URL: service.url, COUNTERSIGN_TOKEN: shown });
const options = [{ id: "ship", label: "Ship" }];

test("forwards events as signed webhooks until the command stops", async () => {
  await client.approvals.create({ question: "Before?", options });
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const running = listen(["--forward-to", `${origin}/hooks`, "--type", "approval.resolved"]);
  const ended = finished(running);
  await eventually(() => expect(running.output()).toContain("Press Ctrl-C to stop"));
  expect(running.output()).toContain(`Forwarding events from ${service.url} to ${origin}/hooks.`);
  const [, secret = ""] = /^Signing secret {2}(whsec_\S+)$/m.exec(running.output()) ?? [];

  const id = await client.approvals.create({ question: "Ship?", options });
  await client.approvals.resolve(id, { optionId: "ship" });
  const away = `Could not connect to your receiver at ${origin} (connect ECONNREFUSED 127.0.0.1:${port}). Trying again`;
  await eventually(() => expect(running.output()).toContain(away));
  const receiver = await aReceiver({ port });
  receiver.on("/hooks", (res, _req, nth) => res.writeHead(nth === 1 ? 202 : 500).end());
  try {
    await eventually(() => expect(receiver.got).toHaveLength(1));
    const other = await client.approvals.create({ question: "Ship again?", options });
    await client.approvals.resolve(other, { otherText: "No" });
    await eventually(() => expect(running.output()).toMatch(/^evt_\w+ {2}approval\.resolved {2}500$/m));
    const [first] = receiver.at("/hooks");
    const { data } = await client.approvals.list({ status: "resolved" });
    const resolution = data.find(({ _id }) => _id === id)?.resolution;
    const event = verified(secret, first as NonNullable<typeof first>);
    expect(event).toEqual({
      id: first?.headers["webhook-id"],
      type: "approval.resolved",
      createdAt: expect.any(Number),
      timestamp: new Date(event.createdAt).toISOString(),
      sub: ownerId,
      data: { id, resolution, contentHash: expect.stringMatching(/^sha256:/) },
    });
    expect(running.output()).toContain(`${event.id}  approval.resolved  202\n`);
    running.child.kill("SIGINT");
    expect(await ended).toMatchObject({ status: 0, out: "Forwarded events: 2.\n" });
    expect(receiver.got).toHaveLength(2);
  } finally {
    receiver.close();
  }
});

test("signs forwarded events with the same secret for the same token", async () => {
  const secrets: string[] = [];
  for (let attempt = 0; attempt < 2; attempt++) {
    const running = listen(["--forward-to", "http://localhost:4242/hooks"]);
    await eventually(() => expect(running.output()).toContain("Press Ctrl-C to stop"));
    secrets.push(/whsec_\S+/.exec(running.output())?.[0] ?? "");
    running.child.kill("SIGTERM");
    expect(await running.ended).toBe(0);
  }
  expect(secrets[0]).toMatch(/^whsec_.{44}$/);
  expect(secrets[1]).toBe(secrets[0]);
  const refused = await finished(listen(["--forward-to", "http://localhost:4242/hooks"], "csn_pat_nobody"));
  expect(refused).toMatchObject({ status: 1, out: "", err: expect.stringMatching(/^Unauthorized: .*\n$/) });
  const wrong = await finished(listen(["--forward-to", "localhost:4242"]));
  expect(wrong).toMatchObject({ status: 2, err: "--forward-to must be a URL like http://localhost:4242/hooks.\n" });
});
