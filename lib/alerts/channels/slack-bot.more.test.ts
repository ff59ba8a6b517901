import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { sendAnswersNow, undoAnswers } from "@/lib/approvals/held-answers";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { db } from "@/lib/database/db";
import { homeOf } from "@/lib/database/shards/homes";
import { updateAppPreferences } from "@/lib/grants/app-preferences";
import type { Settings } from "@/lib/owners/schema";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { someChatServices } from "@/lib/testing/fake-chat-services";
import { aPasskeyFor } from "@/lib/testing/sign-answers";
import { addChannel, listChannels, testChannel } from "./channels";
import { signatureOf, slackAppLink } from "./slack-bot";
import { handleSlackInteraction } from "./slack-interaction";

const chats = await someChatServices();
configure({ SLACK_API_URL: chats.origin, PUBLIC_URL: "https://yes.example" });
afterAll(() => chats.close());
beforeEach(async () => {
  await db.alertChannel.deleteMany();
  for (const list of [chats.shown, chats.asked, chats.failing]) list.length = 0;
});

const bot = chats.channels["slack-bot"];
const lowRisk = {
  question: "Tidy the cache?",
  options: [
    { id: "y", label: "Tidy it" },
    { id: "n", label: "Leave it" },
  ],
  risk: "low" as const,
};
const allowed: Partial<Settings> = { lockScreen: "full", answerFromAlerts: true, undoSeconds: 0 };

/** Creates an owner with a Slack bot and these settings, and an app that may ask. */
async function told(settings: Partial<Settings> = {}, channel: object = bot) {
  const { owner, app, clientId, name } = await anAppWith("approvals:write");
  await changeSettings(owner, settings);
  const { id: channelId } = await addChannel(owner, "slack-bot", { ...channel, name: "My Slack" });
  const ask = async (what: object = lowRisk) => {
    const { id } = await submitApproval(app, { ...lowRisk, ...what });
    await alertOwners();
    return id;
  };
  return { owner, app, clientId, name, channelId, ask };
}

type Sent = { channel: string; text: string; ts?: string; blocks: { block_id?: string; elements?: Button[] }[] };
type Button = { action_id: string; text: { text: string }; value?: string; url?: string };
/** Returns the last request that the service received. */
const sent = (): Sent => JSON.parse(chats.asked.at(-1)?.body ?? "{}");
const buttons = (of = sent()) => of.blocks.flatMap(({ elements = [] }) => elements);
const labels = () => buttons().map(({ text }) => text.text);
const texts = () => chats.shown.map(({ title, text }) => `${title}\n${text}`);

/** Returns the request that Slack sends when someone presses a button of the last message. */
function pressOf(label: string, of = sent()) {
  const { action_id, value } = buttons(of).find(({ text }) => text.text === label) as Button;
  const block_id = of.blocks.find(({ elements }) => elements)?.block_id;
  const ts = chats.shown.at(-1)?.id;
  return {
    type: "block_actions",
    team: { id: "T0123456", domain: "example" },
    user: { id: "U0123456", name: "olive", team_id: "T0123456" },
    container: { type: "message", message_ts: ts, channel_id: "D0123456", is_ephemeral: false },
    actions: [{ type: "button", action_id, block_id, value, action_ts: "1700000001.000001" }],
  };
}

let presses = 0;
type Signing = { secret?: string; ago?: number; signature?: string; at?: number };
/**
 * Sends a press as Slack does, and waits for the resulting work. Returns false if the press was
 * rejected.
 */
async function send(press: object, { secret = bot.signingSecret, ago = 0, signature }: Signing = {}) {
  const payload = JSON.stringify({ ...press, trigger_id: String(++presses) });
  return sendRaw(String(new URLSearchParams({ payload })), {
    secret,
    ago,
    ...(signature !== undefined && { signature }),
  });
}
async function sendRaw(
  body: string,
  { secret = bot.signingSecret, ago = 0, signature, at = Date.now() }: Signing = {},
) {
  const timestamp = String(Math.floor(at / 1000) - ago);
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-slack-request-timestamp": timestamp,
    "x-slack-signature": signature ?? signatureOf(secret, { timestamp, body }),
  };
  const answer = await handleSlackInteraction(
    new Request("https://yes.example/alerts/slack", { method: "POST", body, headers }),
  );
  await answer?.();
  return answer !== undefined;
}
const decided = async (id: string) => {
  const { resolution } = await db.approval.findUniqueOrThrow({ where: { id } });
  return resolution as { optionId?: string; resolvedBy?: string } | null;
};

describe("question messages", () => {
  it("edits the Slack message when the owner answers the question in Countersign", async () => {
    const { owner, ask, name } = await told();
    const id = await ask();
    expect(texts()).toEqual([`New question from ${name}\nOpen Countersign to see the question.`]);
    expect(chats.asked[0]).toMatchObject({
      path: "/api/chat.postMessage",
      headers: { authorization: `Bearer ${bot.token}` },
    });
    expect(sent().channel).toBe("U0123456");
    expect(buttons().map(({ url }) => url)).toEqual([`https://yes.example/approvals/${id}`]);
    await answerApproval(owner, id, { kind: "option", optionId: "y" });
    await alertOwners();
    await alertOwners();
    expect(texts()).toEqual([`${name}: no answer needed\n`]);
    expect(chats.asked).toHaveLength(2);
    expect(chats.asked[1]?.body).not.toContain("Tidy");
    expect(buttons()).toEqual([]);
  });

  it("shows the question and its answer if the owner chose full alerts", async () => {
    const { owner, ask, name } = await told({ lockScreen: "full" });
    const id = await ask({ question: "Ping <!channel> & @all *now*?", risk: "normal" });
    expect(sent().text).toBe(`${name} asks\nPing &lt;!channel&gt; &amp; @\u200ball *now*?`);
    expect(sent().blocks[1]).toEqual({
      type: "section",
      text: { type: "plain_text", text: "Ping <!channel> & @all *now*?", emoji: false },
    });
    expect(labels()).toEqual(["Open"]);
    await answerApproval(owner, id, { kind: "option", optionId: "n" });
    await alertOwners();
    expect(texts()).toEqual([`${name}: you answered “Leave it”\n`]);
  });

  it("sends a link instead of buttons if the bot has no signing secret", async () => {
    const { ask } = await told(allowed, { ...bot, signingSecret: undefined });
    const id = await ask();
    expect(buttons()).toEqual([]);
    expect(chats.asked[0]?.body).toContain(`<https://yes.example/approvals/${id}|Open>`);
  });

  it.each([
    [
      { body: { ok: false, error: "invalid_auth" } },
      "Slack rejected the bot token. Add the channel again with the current bot token",
    ],
    [
      { body: { ok: false, error: "not_in_channel" } },
      "The bot isn’t in the Slack channel. Invite the bot to the Slack channel",
    ],
    [
      { body: { ok: false, error: "channel_not_found" } },
      "Slack couldn’t find the channel or member. Check the ID. If the Slack channel is private, invite the bot",
    ],
    [{ body: { ok: false, error: "some_new_error" } }, "Slack rejected the message (some_new_error)"],
    [{ body: { ok: false, error: "fatal_error" } }, "Slack rejected the message"],
    [{ status: 429, body: { ok: false, error: "ratelimited" } }, "Slack is rate limiting the bot’s messages"],
  ])("explains Slack's response %j to the owner", async (answer, why) => {
    const { owner, channelId } = await told();
    chats.failing.push(answer);
    await expect(testChannel(owner, channelId)).rejects.toThrow(why);
    expect(await listChannels(owner)).toMatchObject([{ problem: expect.stringContaining(why) }]);
    await testChannel(owner, channelId);
    expect(chats.shown).toHaveLength(1);
  });

  it("retries a message after the delay that Slack requests", async () => {
    const { ask } = await told();
    chats.failing.push({ status: 429, headers: { "retry-after": "1200" } });
    await ask();
    const [{ wait } = { wait: 0 }] = await db.$queryRaw<{ wait: number }[]>`
      SELECT extract(epoch FROM due_at - now())::float8 AS wait FROM alert_delivery WHERE ended_at IS NULL`;
    expect(wait).toBeGreaterThan(1100);
  });
});

it("includes the app's manifest in the link that creates a Slack app", async () => {
  const manifest = JSON.parse(new URL(slackAppLink()).searchParams.get("manifest_json") ?? "");
  expect(manifest).toMatchObject({
    oauth_config: { scopes: { bot: ["chat:write"] } },
    settings: { interactivity: { is_enabled: true, request_url: "https://yes.example/alerts/slack" } },
  });
});

describe("button presses", () => {
  it("records a button press as the owner's answer to a low-risk question", async () => {
    const { owner, clientId, name, ask } = await told(allowed);
    const id = await ask();
    expect(texts()).toEqual([`${name} asks · low risk\nTidy the cache?`]);
    expect(labels()).toEqual(["Tidy it", "Leave it", "Open"]);
    const [yes, no] = [pressOf("Tidy it"), pressOf("Leave it")];
    expect(await send(yes)).toBe(true);
    expect(await decided(id)).toMatchObject({ optionId: "y", resolvedBy: "owner" });
    expect(texts()[0]).toMatch(/^Answered · Tidy it\nTidy the cache\?/);
    // The second press changes nothing, and the message says so.
    expect(await send(no)).toBe(true);
    expect(await decided(id)).toMatchObject({ optionId: "y" });
    expect(texts()[0]).toMatch(/^Already answered\nYou answered “Tidy it”\./);
    await alertOwners();
    expect(texts()).toEqual([`${name}: you answered “Tidy it”\n`]);
    const events = await db.event.findMany({ where: { ownerId: owner.ownerId, subject: id }, orderBy: { id: "asc" } });
    expect(events.map(({ type, data, appId }) => [type, data, appId])).toEqual([
      ["approval.submitted", expect.anything(), clientId],
      ["approval.pressed", { on: "My Slack" }, clientId],
      ["approval.resolved", expect.objectContaining({ by: "owner" }), clientId],
    ]);
  });

  it("restores the question in the Slack message after the owner undoes the answer", async () => {
    const { owner, name, ask } = await told({ ...allowed, undoSeconds: 30 });
    const id = await ask();
    await send(pressOf("Tidy it"));
    expect(await decided(id)).toBeNull();
    expect(texts()[0]).toMatch(/^Answered · Tidy it\nTidy the cache\?\nTo undo, open the question within 30 seconds\./);
    await undoAnswers(owner, [id]);
    await db.alertDelivery.updateMany({ data: { dueAt: new Date() } });
    await alertOwners();
    expect(texts()).toEqual([`${name} asks\nTidy the cache?`]);
    expect(labels()).toEqual(["Open"]);
    expect(chats.shown).toHaveLength(1);
    await answerApproval(owner, id, { kind: "option", optionId: "n" });
  });

  it("shows the recorded answer in the Slack message after the undo period ends", async () => {
    const { owner, name, ask } = await told({ ...allowed, undoSeconds: 30 });
    const id = await ask();
    await send(pressOf("Tidy it"));
    await sendAnswersNow(owner, [id]);
    expect(await decided(id)).toMatchObject({ optionId: "y", resolvedBy: "owner" });
    await alertOwners();
    await db.alertDelivery.updateMany({ where: { endedAt: null }, data: { dueAt: new Date() } });
    await alertOwners();
    expect(texts()).toEqual([`${name}: you answered “Tidy it”\n`]);
  });

  it("accepts a press on the Open button without recording an answer", async () => {
    const { owner, ask } = await told(allowed);
    const id = await ask();
    const press = pressOf("Open");
    expect(homeOf(press.actions[0]?.block_id ?? "")).toBe(homeOf(owner.ownerId));
    expect(await send(press)).toBe(true);
    expect(chats.asked).toHaveLength(1);
    expect(await decided(id)).toBeNull();
  });

  it("rejects malformed button presses and presses without a recent, valid Slack signature", async () => {
    const { channelId, ask } = await told(allowed);
    const id = await ask();
    const press = pressOf("Tidy it");
    const unknown = {
      ...press,
      actions: [{ ...press.actions[0], block_id: channelId.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }],
    };
    const cases: [object, Signing][] = [
      [press, { signature: "" }],
      [press, { signature: `v0=${"0".repeat(64)}` }],
      [press, { secret: "another0123456789abcdef012345678" }],
      [press, { ago: 301 }],
      [press, { ago: -301 }],
      [unknown, {}],
      [{ ...press, actions: [] }, {}],
    ];
    for (const [of, how] of cases) expect([how, await send(of, how)]).toEqual([how, false]);
    expect(await sendRaw("payload=nonsense")).toBe(false);
    expect(await sendRaw(`payload=${JSON.stringify(press)}&x=${"x".repeat(70_000)}`)).toBe(false);
    expect(await decided(id)).toBeNull();
    // Another owner's signing secret is not valid for this channel.
    const other = { ...bot, signingSecret: "ffffffffffffffffffffffffffffffff" };
    await told(allowed, other);
    expect(await send(press, { secret: other.signingSecret })).toBe(false);
    const body = String(new URLSearchParams({ payload: JSON.stringify(press) }));
    const at = Date.now();
    expect(await sendRaw(body, { at })).toBe(true);
    expect(await sendRaw(body, { at })).toBe(false);
    expect(await decided(id)).toMatchObject({ optionId: "y" });
  });

  it("ignores button presses by another member, on another message or in another team", async () => {
    const { ask } = await told(allowed);
    const id = await ask();
    const press = pressOf("Tidy it");
    const [action] = press.actions;
    const forged = { ...action, value: action?.value?.replace("sha256:", "sha256:0") };
    for (const other of [
      { user: { id: "U9999999" } },
      { team: { id: "T9999999" } },
      { team: null },
      { container: { ...press.container, message_ts: "1600000000.000001" } },
      { container: { ...press.container, channel_id: "C0123456" } },
      { actions: [forged] },
      { actions: [{ ...action, value: undefined }] },
      { actions: [{ ...action, action_id: "answer-2" }] },
    ])
      expect([other, await send({ ...press, ...other })]).toEqual([other, true]);
    expect(await decided(id)).toBeNull();
    expect(chats.asked).toHaveLength(1);
  });

  it("rejects button presses after the question or the owner's settings change", async () => {
    const { owner, app, ask } = await told(allowed);
    const id = await ask();
    const press = pressOf("Tidy it");
    await changeSettings(owner, { answerFromAlerts: false });
    await send(press);
    await changeSettings(owner, { answerFromAlerts: true });
    await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "And the database" });
    await send(press);
    expect(await decided(id)).toBeNull();
    expect(texts()[0]).toMatch(/^Open the question to answer\n/);
    expect(labels()).toEqual([]);
  });

  it("edits the Slack message only once after a duplicate button press", async () => {
    const { ask } = await told({ ...allowed, undoSeconds: 30 });
    await ask();
    const press = pressOf("Tidy it");
    await Promise.all([send(press), send(press)]);
    expect(texts()[0]).toMatch(/^Answered · Tidy it/);
    expect(chats.asked).toHaveLength(2);
  });
});

describe("answer buttons", () => {
  const long = "x".repeat(250);
  const [one, other] = lowRisk.options;
  it.each<[string, Partial<Settings>, object]>([
    ["unless the owner allows them", { ...allowed, answerFromAlerts: false }, {}],
    ["if alerts are private", { ...allowed, lockScreen: "private" }, {}],
    ["if the owner requires confirmation", { ...allowed, alwaysConfirm: true }, {}],
    ["for a high-risk question", allowed, { risk: "high" }],
    ["for a normal-risk question", allowed, { risk: "normal" }],
    ["for a question without a risk", allowed, { risk: undefined }],
    ["for a question with a dangerous option", allowed, { options: [one, { ...other, style: "danger" }] }],
    ["for a question with three options", allowed, { options: [one, other, { id: "x", label: "Other" }] }],
    ["if only the owner may answer", allowed, { ownerOnly: true }],
    ["if the message would be truncated", allowed, { backgroundContext: long }],
    ["if a note would be truncated", allowed, { options: [one, { ...other, note: long }] }],
    ["if a label would be truncated", allowed, { options: [one, { ...other, label: "x".repeat(41) }] }],
    ["if the question impersonates the service", allowed, { question: "Countersign: sign in again?" }],
  ])("omits answer buttons %s", async (_, settings, what) => {
    const { ask } = await told(settings);
    await ask(what);
    expect(labels()).toEqual(["Open"]);
  });

  it("omits answer buttons if the owner signs the answer", async () => {
    const here = { origin: "https://yes.example" };
    const asked = await told(allowed);
    await aPasskeyFor(asked.owner, "Phone", here);
    await asked.ask({ signedByOwner: "when-possible" });
    expect(labels()).toEqual(["Open"]);
    const { owner, clientId, ask } = await told(allowed);
    await aPasskeyFor(owner, "Phone", here);
    const id = await ask();
    const press = pressOf("Tidy it");
    await updateAppPreferences(owner, clientId, { signAnswers: true });
    await send(press);
    expect(await decided(id)).toBeNull();
    expect(labels()).toEqual([]);
  });

  it("omits answer buttons if confirmation is required or the channel is shared", async () => {
    const inChannel = await told(allowed, { ...bot, channel: "C0123456" });
    await inChannel.ask();
    expect(labels()).toEqual(["Open"]);
    const { owner, clientId, ask } = await told(allowed);
    await updateAppPreferences(owner, clientId, { alwaysConfirm: true });
    await ask();
    expect(labels()).toEqual(["Open"]);
    const { ask: askMore } = await told(allowed);
    await askMore({
      backgroundContext: "It is full.",
      recommendation: "y",
      options: [one, { ...other, note: "Slow" }],
    });
    expect(labels()).toEqual(["Tidy it", "Leave it", "Open"]);
    expect(texts().at(-1)).toContain("Tidy the cache?\nIt is full.\nSuggested: Tidy it\nLeave it: Slow");
  });
});
