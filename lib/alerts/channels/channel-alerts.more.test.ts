import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { dumpDatabase } from "@/e2e/dump-database";
import { submitApproval } from "@/lib/approvals/approvals";
import { returnDueSnoozed, snoozeApprovals } from "@/lib/approvals/triage";
import { sealedRows } from "@/lib/cli/all-encrypted-tables";
import { db, pool } from "@/lib/database/db";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import { checkKeys } from "@/lib/keys/key-check";
import { rotateKeys } from "@/lib/keys/rotation";
import { exportData } from "@/lib/owner-data/data-export";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { someChatServices } from "@/lib/testing/fake-chat-services";
import { leaked } from "@/lib/testing/find-secrets-in-text";
import { aQuestion } from "@/lib/testing/sample-question";
import { verified } from "@/lib/testing/webhook-receiver";
import { type ChannelKind, channelLabels } from "./channel-interface";
import { addChannel, listChannels, removeChannel, renameChannel, testChannel } from "./channels";
import { countUndecryptableChannels, removeUndecryptableChannels } from "./undecryptable-channels";

const chats = await someChatServices();
configure({ ALLOW_PRIVATE_FETCH: chats.origin, TELEGRAM_API_URL: chats.origin, SLACK_API_URL: chats.origin });
afterAll(() => chats.close());
beforeEach(async () => {
  // Removes the channels and messages of earlier tests, so that each test sees only its own.
  await db.alertChannel.deleteMany();
  for (const list of [chats.shown, chats.asked, chats.failing]) list.length = 0;
});

const kinds = Object.keys(channelLabels) as ChannelKind[];

/** Creates an owner with these channels, and an app that may ask. */
async function told(...which: ChannelKind[]) {
  const { owner, app, clientId, name } = await anAppWith("approvals:write");
  for (const kind of which) await addChannel(owner, kind, chats.channels[kind]);
  const ask = async (question = "Launch the missiles?") => (await submitApproval(app, { ...aQuestion, question })).id;
  const answer = (id: string) => answerApproval(owner, id, { kind: "option", optionId: "ship" });
  return { owner, clientId, name, ask, answer };
}

/** Simulates a pause: moves the stored times of alerts back by the given minutes. */
const pass = (minutes: number) =>
  pool().query(
    `WITH a AS (UPDATE alert SET created_at = created_at - make_interval(mins => $1)),
      d AS (UPDATE alert_delivery SET due_at = due_at - make_interval(mins => $1) WHERE ended_at IS NULL)
      UPDATE alert_cursor SET look_again_at = look_again_at - make_interval(mins => $1), since = since - make_interval(mins => $1)`,
    [minutes],
  );
const titles = () => chats.shown.map(({ at, title }) => `${at}: ${title}`).sort();
const events = () =>
  chats.asked.filter(({ path }) => path === "/events").map((each) => verified(chats.channels.webhook.secret, each));

describe("question alerts", () => {
  it("sends one alert to each channel", async () => {
    const { ask, name } = await told(...kinds);
    const id = await ask();
    await alertOwners();
    await alertOwners();
    const title = `New question from ${name}`;
    expect(titles()).toEqual([
      `gotify: ${title}`,
      `ntfy/a-secret-topic: ${title}`,
      `slack-bot/D0123456: ${title}`,
      `slack: ${title}`,
      `telegram/42: ${title}`,
    ]);
    const link = `http://localhost:3000/approvals/${id}`;
    // Telegram rejects buttons that open a URL without TLS, so the link is in the message's text.
    for (const { link: shown, text } of chats.shown) expect(shown || text).toContain(link);
    expect(events()).toMatchObject([
      { type: "alert.shown", data: { about: "questions", app: name, count: 1, title, link, urgent: false } },
    ]);
    expect(chats.asked).toHaveLength(kinds.length);
    expect(JSON.stringify(chats.asked)).not.toContain("missiles");
  });

  it("sends a question's markup as plain text if the owner chose full alerts", async () => {
    const { owner, ask, name } = await told("ntfy", "slack");
    await changeSettings(owner, { lockScreen: "full" });
    await ask("Ping <!channel> & @all?");
    await alertOwners();
    expect(chats.shown.find(({ at }) => at.startsWith("ntfy"))).toMatchObject({
      title: `${name} asks`,
      text: "Ping <!channel> & @all?",
    });
    expect(chats.shown.find(({ at }) => at === "slack")?.text).toBe("Ping &lt;!channel&gt; &amp; @\u200ball?");
  });

  it("withdraws the alert when the owner answers the question", async () => {
    const { ask, answer, name } = await told(...kinds);
    const id = await ask();
    await alertOwners();
    await answer(id);
    await alertOwners();
    await alertOwners();
    expect(titles()).toEqual([
      `slack-bot/D0123456: ${name}: no answer needed`,
      `slack: New question from ${name}`,
      `telegram/42: ${name}: no answer needed`,
    ]);
    expect(events().map(({ type }) => type)).toEqual(["alert.shown", "alert.closed"]);
    const [shown, closed] = events();
    expect(closed?.data).toEqual({ id: shown?.data.id, app: name, about: "questions", replaced: false });
  });

  it("sends no alert for a question that is answered during quiet hours", async () => {
    const { owner, ask, answer } = await told("ntfy");
    await changeSettings(owner, { timeZone: "UTC", ...quietNow() });
    const id = await ask();
    await alertOwners();
    await answer(id);
    await changeSettings(owner, { quiet: null });
    await pass(61);
    await alertOwners();
    expect(chats.asked).toEqual([]);
  });

  it("delays alerts during quiet hours and sends none for a muted app", async () => {
    const { owner, ask, clientId } = await told("ntfy", "telegram");
    await changeSettings(owner, { timeZone: "UTC", ...quietNow() });
    await ask();
    await alertOwners();
    expect(chats.asked).toEqual([]);
    await changeSettings(owner, { quiet: null });
    await pass(61);
    await alertOwners();
    expect(chats.shown).toHaveLength(2);
    await updateAppPreferences(owner, clientId, { questionsMuted: true });
    await pass(11);
    await ask();
    await alertOwners();
    expect(chats.asked.filter(({ path }) => path === "/" || path.endsWith("/sendMessage"))).toHaveLength(2);
  });

  it("sends no alert for a question asked before the channel existed", async () => {
    const { owner, ask } = await told();
    await ask();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await addChannel(owner, "ntfy", chats.channels.ntfy);
    await alertOwners();
    expect(chats.asked).toEqual([]);
  });
});

it("withdraws a snoozed question's alert until the question returns", async () => {
  const { owner, ask, name } = await told("ntfy", "telegram");
  const id = await ask();
  await alertOwners();
  await snoozeApprovals(owner, [id], { choice: "hour", timeZone: "UTC" });
  await alertOwners([owner.ownerId]);
  expect(titles()).toEqual([`telegram/42: ${name}: no answer needed`]);
  await pass(61);
  await db.$executeRaw`UPDATE approval_triage SET snoozed_until = now() WHERE approval_id = ${id}`;
  expect(await returnDueSnoozed()).toBe(1);
  await alertOwners();
  await alertOwners();
  const title = `New question from ${name}`;
  expect(titles()).toEqual([
    `ntfy/a-secret-topic: ${title}`,
    `telegram/42: ${name}: no answer needed`,
    `telegram/42: ${title}`,
  ]);
});

it("replaces a digest with a newer digest", async () => {
  const { ask, name } = await told("ntfy", "telegram");
  for (let n = 0; n < 2; n++) {
    await ask();
    await ask();
    await alertOwners();
    await pass(11);
  }
  expect(titles()).toEqual([
    `ntfy/a-secret-topic: ${name}: 4 new questions`,
    `telegram/42: ${name}: 4 new questions`,
    `telegram/42: ${name}: see the newer message`,
  ]);
});

/** Returns quiet hours that began an hour ago and end in an hour. */
function quietNow() {
  const minutes = Math.floor((Date.now() % 86_400_000) / 60_000);
  return { quiet: { from: (minutes + 1380) % 1440, until: (minutes + 60) % 1440 } };
}

describe("failing channels", () => {
  it("retries an alert after the delay that the channel's server requests", async () => {
    const { owner, ask } = await told("telegram");
    chats.failing.push({ status: 429, body: { ok: false, parameters: { retry_after: 1200 } } });
    await ask();
    await alertOwners();
    const [{ wait } = { wait: 0 }] = await db.$queryRaw<{ wait: number }[]>`
      SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM alert_delivery WHERE ended_at IS NULL`;
    expect(wait).toBeGreaterThan(1100);
    expect(await listChannels(owner)).toMatchObject([
      { failingSince: expect.any(Number), problem: expect.any(String) },
    ]);
    await pass(21);
    await alertOwners();
    expect(chats.shown).toHaveLength(1);
    const [works] = await listChannels(owner);
    expect(works).toMatchObject({ toldAt: expect.any(Number) });
    expect(works).not.toHaveProperty("failingSince");
  });

  it("notifies the owner only once about a failing channel", async () => {
    const { owner, ask } = await told("gotify");
    chats.failing.push({ status: 401 }, { status: 401 });
    for (let n = 0; n < 2; n++) {
      await ask();
      await alertOwners();
      await pass(11);
    }
    expect(await listChannels(owner)).toMatchObject([
      { problem: expect.stringMatching(/^Gotify rejected the application token\./) },
    ]);
    const notes = await db.notification.findMany({ where: { ownerId: owner.ownerId, appId: "countersign" } });
    expect(notes.map(({ title }) => title)).toEqual(["Couldn’t send an alert to Gotify"]);
    expect(notes[0]?.body).toContain("rejected the application token");
    expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "channel.failing" } })).toBe(1);
  });

  it("reports no problem for an ntfy server that cannot withdraw messages", async () => {
    const { owner, ask, answer } = await told("ntfy");
    const id = await ask();
    await alertOwners();
    chats.failing.push({ status: 404 });
    await answer(id);
    await alertOwners();
    expect(await db.alertDelivery.count({ where: { endedAt: null } })).toBe(0);
    expect(await listChannels(owner)).toMatchObject([{ kind: "ntfy" }]);
    expect((await listChannels(owner))[0]).not.toHaveProperty("problem");
  });
});

describe("channel settings", () => {
  it("reports the reason for a failed test alert", async () => {
    const { owner } = await told("gotify");
    const [{ id } = { id: "" }] = await listChannels(owner);
    await testChannel(owner, id);
    expect(titles()).toEqual(["gotify: Alerts are working"]);
    chats.failing.push({ status: 404 });
    await expect(testChannel(owner, id)).rejects.toThrow(
      /^The test failed. There is no Gotify server at this address. Add the channel again with the right address\.$/,
    );
    expect(await listChannels(owner)).toMatchObject([{ failingSince: expect.any(Number) }]);
    await expect(testChannel(await anOwner(), id)).rejects.toMatchObject({ status: 404 });
    for (let n = 0; n < 8; n++) await testChannel(owner, id);
    await expect(testChannel(owner, id)).rejects.toMatchObject({ status: 429 });
  });

  it("reports an invalid client token when the owner tests a Gotify channel", async () => {
    const { owner } = await told();
    const { id } = await addChannel(owner, "gotify", { ...chats.channels.gotify, clientToken: "another" });
    await expect(testChannel(owner, id)).rejects.toThrow(/rejected the client token/);
  });

  it("limits an owner to ten channels that only the owner can change", async () => {
    const { owner, ask } = await told(...kinds, ...kinds.slice(2));
    await expect(addChannel(owner, "ntfy", chats.channels.ntfy)).rejects.toMatchObject({ status: 409 });
    const { id = "" } = (await listChannels(owner)).find(({ kind }) => kind === "ntfy") ?? {};
    await renameChannel(owner, id, "My phone");
    const other = await anOwner();
    await expect(renameChannel(other, id, "Mine")).rejects.toMatchObject({ status: 404 });
    await expect(removeChannel(other, id)).rejects.toMatchObject({ status: 404 });
    await ask();
    for (const channel of await listChannels(owner)) await removeChannel(owner, channel.id);
    await alertOwners();
    expect(chats.asked).toEqual([]);
    expect(await db.alertDelivery.count({ where: { targetId: id } })).toBe(0);
    const said = await db.event.findMany({ where: { subject: id }, orderBy: { id: "asc" } });
    expect(said.map(({ type, data }) => [type, data])).toEqual([
      ["channel.added", { name: "ntfy" }],
      ["channel.renamed", { name: "My phone" }],
      ["channel.removed", { name: "My phone" }],
    ]);
  });

  it.each<[ChannelKind, object, string]>([
    ["ntfy", { url: "https://ntfy.sh/" }, "topic"],
    ["ntfy", { url: "http://ntfy.example/topic" }, "https"],
    ["ntfy", { url: "https://169.254.169.254/topic" }, "reachable from the internet"],
    ["gotify", { url: "https://10.0.0.1", token: "x" }, "reachable from the internet"],
    ["gotify", { url: "https://push.example" }, "token"],
    ["telegram", { token: "nonsense", chat: "42" }, "BotFather"],
    ["telegram", { token: "123456:a-secret-telegram-token", chat: "me" }, "ID"],
    ["slack-bot", { ...chats.channels["slack-bot"], token: "xoxp-of-a-person" }, "xoxb"],
    ["slack-bot", { ...chats.channels["slack-bot"], channel: "#general" }, "ID"],
    ["slack-bot", { ...chats.channels["slack-bot"], signingSecret: "nonsense" }, "Basic Information"],
    ["slack", { url: "https://user:pass@hooks.slack.example/x" }, "username"],
    ["webhook", { url: "file:///etc/passwd", secret: "whsec_x" }, "https"],
    ["slack", { url: "https://hooks.slack.com/services/x", name: "\n" }, "line"],
  ])("rejects an invalid %s channel: %j", async (kind, given, why) => {
    const refused = await addChannel(await anOwner(), kind, given).catch((error) => JSON.stringify(error.details));
    expect(refused).toContain(why);
  });
});

it("sends nothing to a channel whose host resolves to a private address", async () => {
  const { owner } = await told();
  const { id } = await addChannel(owner, "slack", { url: "https://localhost.example./x" });
  const { fetchDependencies } = await import("@/lib/net/guarded-fetch");
  const resolve = vi.spyOn(fetchDependencies, "resolve").mockResolvedValue([{ address: "127.0.0.1", family: 4 }]);
  await expect(testChannel(owner, id)).rejects.toThrow("The address is not public");
  expect(resolve).toHaveBeenCalledOnce();
  resolve.mockRestore();
});

it("keeps channels' credentials out of the database, the log and the data export", async () => {
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const { owner, ask, answer } = await told(...kinds);
  const id = await ask();
  await alertOwners();
  await answer(id);
  await rotateKeys(sealedRows);
  chats.failing.push(...kinds.map(() => ({ status: 500, body: chats.channels })));
  await alertOwners();
  for (const channel of await listChannels(owner)) {
    chats.failing.push({ status: 403, body: chats.channels });
    await testChannel(owner, channel.id).catch(() => {});
  }
  let seen = [await dumpDatabase(), JSON.stringify(await listChannels(owner))].join();
  for await (const piece of exportData(owner)) seen += piece;
  seen += [...stderr.mock.calls, ...stdout.mock.calls].map(([text]) => String(text)).join("");
  stderr.mockRestore();
  stdout.mockRestore();
  expect(seen).toContain("channel.added");
  const { ntfy, gotify, telegram, webhook, "slack-bot": bot } = chats.channels;
  const secrets = [
    ntfy.token,
    gotify.token,
    gotify.clientToken,
    telegram.token,
    webhook.secret,
    bot.token,
    bot.signingSecret,
  ];
  expect(leaked(seen, [...secrets, "a-secret-topic", "a-secret-slack-path"])).toEqual([]);
  await checkKeys(sealedRows);
});

it("lists failing channels first, and then the newest", async () => {
  const { owner } = await told("ntfy", "slack", "gotify");
  await db.alertChannel.updateMany({ where: { kind: "slack" }, data: { failingSince: new Date() } });
  expect((await listChannels(owner)).map(({ kind }) => kind)).toEqual(["slack", "gotify", "ntfy"]);
});

it("reports an undecryptable channel until the operator removes the channel", async () => {
  const { owner, ask } = await told("ntfy", "slack");
  await db.alertChannel.updateMany({ where: { kind: "ntfy" }, data: { sealed: Buffer.alloc(60) } });
  await ask();
  await alertOwners();
  expect(titles()).toHaveLength(1);
  expect((await listChannels(owner)).map(({ problem }) => problem)).toEqual([
    expect.stringContaining("no longer decrypt"),
    undefined,
  ]);
  expect(await countUndecryptableChannels()).toBe(1);
  expect(await removeUndecryptableChannels()).toBe(1);
  expect((await listChannels(owner)).map(({ kind }) => kind)).toEqual(["slack"]);
  expect(await db.event.count({ where: { ownerId: owner.ownerId, type: "channel.lost" } })).toBe(1);
});
