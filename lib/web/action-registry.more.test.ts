import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { addChannel } from "@/lib/alerts/channels/channels";
import { addDevice, listDevices } from "@/lib/alerts/devices";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox-queries";
import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { closePubsub, subscribe } from "@/lib/events/pubsub";
import { optimisticParts } from "@/lib/form-action";
import { newId } from "@/lib/ids";
import { pushNotification } from "@/lib/notifications/notifications";
import { createSession } from "@/lib/owners/sessions";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aWorkingAccount } from "@/lib/testing/working-linked-accounts";
import { addEndpoint } from "@/lib/webhooks/endpoints";
import { actions } from "./action-registry";
import { readForm } from "./read-form";
import { runAction } from "./run-action";
import type { SignedIn } from "./session-cookie";

const ownerActions = [...actions.values()].filter(({ who }) => who === undefined);
const visitorActions = [...actions.values()].filter(({ who }) => who === "visitor");
const page = "http://localhost:3000/approvals?sort=newest";
const scripted = { accept: "application/json" };

type Fields = Record<string, string | string[]>;
const formOf = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [value].flat().map((it) => [name, it])));

/** Returns the response to the browser of this owner, or of a signed-out visitor. */
async function send(
  name: string,
  body: BodyInit,
  owner: Partial<SignedIn> | null,
  headers: Record<string, string> = {},
) {
  const request = new Request(`http://localhost:3000/acts/${name}`, {
    method: "POST",
    body,
    headers: { referer: page, ...headers },
  });
  const whose = async () => owner as SignedIn | null;
  const reply = await runAction(actions.get(name), request, whose, async () => {});
  return { status: reply.status, to: reply.headers.get("location"), text: await reply.text(), headers: reply.headers };
}

/** Creates one record for each noun in the actions' names. */
async function somebodys() {
  const { owner, app, clientId, tokenId } = await anAppWith("approvals:write", "notifications:write");
  const options = [{ id: "yes", label: "Yes" }];
  const { id: approval } = await submitApproval(app, { question: "Ship it?", options });
  const { id: notification } = await pushNotification(app, { title: "Shipped", type: "ship" });
  const { contentHash: seen } = await readApproval(owner, approval);
  const { id: webhook } = await addEndpoint(owner, clientId, { url: "https://hooks.example/", types: [] });
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const { id: session } = await createSession(entrance, { method: "password", userAgent: "", address: "192.0.2.1" });
  const { id: integration } = await aWorkingAccount({ owner });
  const { id: channel } = await addChannel(owner, "slack", { url: "https://localhost./x" });
  await addDevice({ ...owner, session }, { endpoint: "https://push.example/", p256dh: aKey(65), auth: aKey(16) }, "");
  const [device] = await listDevices({ ...owner, session });
  return {
    owner,
    clientId,
    seen,
    things: {
      approval,
      notification,
      webhook,
      session,
      integration,
      channel,
      device: device?.id ?? "",
      token: tokenId,
    },
  };
}
type Somebodys = Awaited<ReturnType<typeof somebodys>>;

/** Returns, for each table that has rows of the owner, a hash of these rows. */
async function ownedRows(ownerId: string): Promise<Record<string, string>> {
  const { rows } = await pool().query<{
    table: string;
    column: string;
  }>(`SELECT table_name AS table, column_name AS column
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
      AND (column_name = 'owner_id' OR (table_name, column_name) = ('owner', 'id'))`);
  const each = rows.map(
    ({ table, column }) => `SELECT '${table}' AS table, md5(string_agg(t::text, ',' ORDER BY t::text)) AS hash
      FROM "${table}" t WHERE ${column} = $1 HAVING count(*) > 0`,
  );
  const { rows: hashes } = await pool().query(each.join(" UNION ALL "), [ownerId]);
  return Object.fromEntries(hashes.map(({ table, hash }) => [table, hash]));
}

const shapeOf = (input: z.ZodType) => z.toJSONSchema(input, { io: "input", unrepresentable: "any" });

const aKey = (bytes: number) => Buffer.alloc(bytes, 4).toString("base64url");
/** Values for fields that accept only certain texts. */
const words: Fields = {
  at: "0",
  until: "0",
  days: "1",
  scopes: "approvals:read",
  types: [],
  url: "https://hooks.example/other",
  redirectUris: "https://app.example/callback",
  endpoint: "https://push.example/",
  p256dh: aKey(65),
  auth: aKey(16),
  oldEndpoint: "https://push.example/old",
  oldP256dh: aKey(65),
  oldAuth: aKey(16),
  imapPort: "993",
  smtpPort: "465",
};
/** Values for the fields of some actions, which take precedence over `words`. */
const ofAct: Record<string, Fields> = {
  "setting.change": { setting: "theme", value: "dark" },
  "channel.add-telegram": { token: "123456:a-token-of-a-bot-of-theirs", chat: "42" },
  "channel.add-slack-bot": {
    token: "xoxb-a-token-of-theirs",
    channel: "U0123456",
    signingSecret: "0123456789abcdef0123456789abcdef",
  },
  "setting.take-time-zone": { timeZone: "Asia/Tokyo" },
  "integration.begin-link": { access: [] },
  "password.change": { current: "correct horse battery staple", next: "seven new words in a long row" },
};

/** Returns a valid form for an action about these records, derived from the action's schema. */
function goodForm(name: string, { owner, clientId, seen, things }: Somebodys): Fields {
  const shape = shapeOf(actions.get(name)?.input ?? z.never());
  const about: Partial<Record<string, string>> = { app: things.integration, ...things };
  const id = about[name.split(".")[0] ?? ""] ?? "yes";
  const known = {
    id,
    ids: id,
    upTo: id,
    integrationIds: things.integration,
    clientId,
    seen,
    picked: "47",
    // The question has no fields, and needs no signature.
    values: "",
    signature: "",
    email: owner.email,
    account: things.integration,
    // Two owners' apps may not share a name.
    name: `yes ${clientId.slice(-8)}`,
  };
  const given = new Map(Object.entries<string | string[]>({ ...known, ...words }));
  const fields = Object.entries(shape.properties ?? {}).map(([field, says]) => {
    const [first] = (typeof says === "object" && says.enum) || [];
    return [field, typeof first === "string" ? first : (given.get(field) ?? "yes")];
  });
  return { ...Object.fromEntries(fields), ...ofAct[name] };
}

it("gives every action a unique name that fits in a URL", async () => {
  for (const name of actions.keys()) expect(name).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
  for (const name of ["toString", "__proto__", "approval", "approval.answer "])
    expect([name, await send(name, formOf({}), await anOwner(), scripted)]).toEqual([
      name,
      expect.objectContaining({ status: 404, text: '{"ok":false,"message":"Not found"}' }),
    ]);
});

describe("immediate feedback", () => {
  const inbox = optimisticParts(Object.fromEntries(actions));

  it("moves a question from Waiting to Snoozed and back", () => {
    expect(inbox["approval.snooze"]).toMatchObject([{ leaves: "waiting", undo: { act: "approval.bring-back" } }]);
    expect(inbox["approval.bring-back"]).toMatchObject([{ leaves: "snoozed" }]);
  });

  it("offers an undo only if exactly one feedback rule applies to the undo", () => {
    const undoable = Object.values(inbox)
      .flat()
      .flatMap(({ when = {}, undo }) => (undo ? [{ when, undo }] : []));
    expect(undoable).not.toEqual([]);
    for (const { when, undo } of undoable) {
      const fields: Record<string, string> = { ...when, ...undo.fields };
      const fits = inbox[undo.act]?.filter(({ when = {} }) =>
        Object.entries(when).every(([it, is]) => fields[it] === is),
      );
      expect([undo, fits?.length]).toEqual([undo, 1]);
    }
  });
});

it("requires a fresh sign-in for actions that change access", () => {
  const fresh = ownerActions.filter((act) => act.fresh).map(({ name }) => name);
  expect(fresh.sort()).toEqual([
    "account.delete",
    "app.change-redirects",
    "app.declare-scopes",
    "app.delete",
    "app.end-old-secret",
    "app.register",
    "app.rotate-secret",
    "channel.add-gotify",
    "channel.add-ntfy",
    "channel.add-slack",
    "channel.add-slack-bot",
    "channel.add-telegram",
    "channel.add-webhook",
    "device.add",
    "freeze.end",
    "integration.link-mail",
    "passkey.add",
    "passkey.ask",
    "passkey.remove",
    "phone.link",
    "recovery.make-codes",
    "token.create",
    "webhook.add",
    "webhook.change",
    "webhook.rotate-secret",
  ]);
});

describe.each(ownerActions)("$name", ({ name, input, fresh, page, failure }) => {
  it("requires a session for the action", async () => {
    const form = formOf({ id: "x" });
    expect(await send(name, form, null, scripted)).toMatchObject({
      status: 401,
      text: '{"ok":false,"message":"Sign in again"}',
    });
    const plain = await send(name, form, null);
    if (failure?.signedOut) return expect([plain.status, plain.to]).toEqual([401, null]);
    const from = page?.({ id: "x" }) ?? "/approvals?sort=newest";
    expect(plain).toMatchObject({
      status: 303,
      // The sign-in page mentions the unsent answer.
      to: `/sign-in?next=${encodeURIComponent(from)}${name === "approval.answer" ? "&unsent=choice" : ""}`,
    });
  });

  it("rejects a missing or incomplete form for the action", async () => {
    const owner = await anOwner();
    for (const headers of [scripted, {}]) {
      const broken = await send(name, "{", owner, { ...headers, "content-type": "application/json" });
      expect([broken.status, broken.text]).toEqual([
        400,
        expect.stringContaining("This form is invalid. Reload the page, then try again."),
      ]);
    }
    if (input.safeParse(readForm(input, new FormData())).success) return;
    const empty = await send(name, formOf({}), owner, scripted);
    expect([empty.status, JSON.parse(empty.text)]).toEqual([400, expect.objectContaining({ ok: false })]);
  });

  it.runIf(fresh)("requires a fresh sign-in for the action", async () => {
    const it = await somebodys();
    const { status, text } = await send(name, formOf(goodForm(name, it)), { ...it.owner, fresh: false }, scripted);
    expect([status, JSON.parse(text).signIn]).toEqual([403, expect.stringContaining("/sign-in/again?next=")]);
  });
});

describe("another owner's data", () => {
  let victim: Somebodys;
  beforeAll(async () => {
    victim = await somebodys();
  });
  const desk = ["approval", "approval_triage", "approval_question", "notification", "app_preferences", "event"];
  const tables = [
    ...desk,
    "app",
    "app_grant",
    "integration",
    "webhook_endpoint",
    "owner_session",
    "push_subscription",
    "alert_channel",
  ];
  const rows = () =>
    Promise.all(
      tables.map(async (table) => {
        const text = `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS all FROM ${table} t WHERE owner_id = $1`;
        return (await pool().query(text, [victim.owner.ownerId])).rows;
      }),
    );

  const ofSubjects = ownerActions.filter(({ input }) =>
    /"(id|ids|upTo|clientId|account)"/.test(JSON.stringify(shapeOf(input))),
  );
  test.each(ofSubjects)("treats another owner's data as nonexistent in the action $name", async ({ name }) => {
    const before = await rows();
    const owner = await anOwner();
    const others = Object.fromEntries(
      Object.entries(victim.things).map(([what, id]) => [what, newId(id.slice(0, 3) as Parameters<typeof newId>[0])]),
    );
    const unknown = { ...victim, clientId: newId("app"), things: others as Somebodys["things"] };
    const answers = [];
    for (const whose of [victim, unknown]) {
      const { clientId, things } = whose;
      const { status, text } = await send(name, formOf(goodForm(name, whose)), owner, scripted);
      answers.push([status, [clientId, ...Object.values(things)].reduce((all, id) => all.replaceAll(id, "it"), text)]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect([200, 404]).toContain(answers[0]?.[0]);
    expect(await rows()).toEqual(before);
  });
});

describe("owner's form", () => {
  // The browser tests cover these actions, because their input comes from authenticators or mail
  // servers, or because they require a session in a certain state.
  const elsewhere = [
    ...["passkey.add", "integration.link-mail"],
    ...["session.confirm", "session.confirm-with-passkey", "password.reset"],
  ];
  const here = ownerActions.filter(({ name }) => !elsewhere.includes(name));
  /** For each action, the action that first brings the record into the required state. */
  const first: Record<string, string> = {
    "approval.bring-back": "approval.snooze",
    "notification.back": "notification.done",
    "notification.unread": "notification.read",
    "notification.unmute-app": "notification.mute-app",
    "notification.unmute-type": "notification.mute-type",
    "app.undo-take-back": "app.take-back-scope",
    "app.end-old-secret": "app.rotate-secret",
    "integration.undo-disconnect": "integration.disconnect",
  };
  /**
   * Actions whose changes no other open page shows (see `changeUnannounced`). For example, no page
   * shows a passkey challenge.
   */
  const unannounced = ["approval.see", "notification.see", "device.see", "passkey.ask", "session.ask-own-passkey"];
  /** Actions that only read, or that have nothing to change in this test. */
  const writeNothing = [
    ...[
      "approval.offer-signature",
      "approval.undo",
      "approval.withdraw",
      "approval.send-now",
      "approval.all-of",
      "notification.read-all",
      "notification.unread-all",
    ],
    ...["consent.decide", "consent.decide-device", "consent.enter-code"],
    ...["webhook.resend", "integration.begin-link", "device.renew", "device.test", "palette.find"],
    ...["email.resend", "email.cancel"],
    ...["passkey.remove", "refusals.dismiss"],
  ];
  afterAll(closePubsub);

  /**
   * Submits the action's form.
   * @returns the written tables, and whether open pages were notified
   */
  async function give(name: string, mine: Somebodys): Promise<{ written: string[]; told: boolean }> {
    const { ownerId } = mine.owner;
    const sent = (act: string) => send(act, formOf(goodForm(act, mine)), mine.owner, scripted);
    const before = first[name];
    if (before) await sent(before);
    const rows = await ownedRows(ownerId);
    let told = false;
    const stop = subscribe(ownerId, () => {
      told = true;
    });
    const { status, text } = await sent(name);
    stop();
    expect([name, status === 400 ? text : "taken"]).toEqual([name, "taken"]);
    const after = await ownedRows(ownerId);
    return { written: Object.keys({ ...rows, ...after }).filter((table) => after[table] !== rows[table]), told };
  }

  test("performs every action from an owner's own form", async () => {
    const idle = [];
    let mine = await somebodys();
    for (const { name } of here) {
      let { written, told } = await give(name, mine);
      if (written.length === 0) {
        // An earlier action may have consumed this one's record.
        mine = await somebodys();
        ({ written, told } = await give(name, mine));
      }
      if (written.length === 0) idle.push(name);
      else expect([name, written, told]).toEqual([name, written, !unannounced.includes(name)]);
    }
    expect(idle).toEqual(writeNothing);
  });
});

describe("number in an owner's answer", () => {
  const options = [{ id: "yes", label: "Yes" }];

  async function asked() {
    const { owner, app } = await anAppWith("approvals:write");
    const { id } = await submitApproval(app, { question: "Pay?", options, risk: "high", match: "47" });
    const { contentHash: seen, match } = await readApproval(owner, id);
    const wrong = match?.numbers.find((number) => number !== "47") ?? "";
    const answer = (picked: string, headers = scripted as Record<string, string>) =>
      send("approval.answer", formOf({ id, seen, optionId: "yes", confirmed: "yes", picked }), owner, headers);
    return { owner, id, wrong, answer };
  }

  it("accepts an answer with the correct number", async () => {
    const { answer } = await asked();
    const { status, text } = await answer("47");
    expect([status, JSON.parse(text)]).toMatchObject([200, { ok: true }]);
    expect(JSON.parse(text).value).not.toHaveProperty("mismatched");
  });

  it("reports a wrong number in the JSON response to a script", async () => {
    const { id, wrong, answer } = await asked();
    const { status, text } = await answer(wrong);
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { ok: true, value: { mismatched: true }, redirectTo: `/approvals/${id}` },
    ]);
    const late = await answer("47");
    expect([late.status, JSON.parse(late.text).message]).toEqual([
      409,
      "The wrong number was picked, so the question was closed. The app can ask again.",
    ]);
  });

  it("rejects a missing or unknown number", async () => {
    const { answer } = await asked();
    const missing = await answer("");
    expect([missing.status, missing.text]).toEqual([409, expect.stringContaining("Pick the number")]);
    const other = await answer("4711");
    expect([other.status, other.text]).toEqual([400, expect.stringContaining("Pick one of the three numbers")]);
    expect((await answer("47")).status).toBe(200);
  });

  it("redirects a plain form with a wrong number to the question", async () => {
    const { owner, id, wrong, answer } = await asked();
    expect(await answer(wrong, {})).toMatchObject({ status: 303, to: `/approvals/${id}` });
    expect((await readApproval(owner, id)).match?.picked).toBe("wrong");
  });
});

describe("plain form", () => {
  it("redirects a plain form to the action's next page", async () => {
    const mine = await somebodys();
    const to = async (name: string) => (await send(name, formOf(goodForm(name, mine)), mine.owner)).to;
    expect(await to("approval.answer")).toBe(`/approvals/${mine.things.approval}`);
    expect(await to("notification.read")).toBe("/approvals?sort=newest");
    const elsewhere = await send("notification.read", formOf({ ids: mine.things.notification }), mine.owner, {
      referer: "https://evil.example//evil.example",
    });
    expect(elsewhere.to).toBe("/approvals");
  });

  it("shows the error of a rejected form on the form's page", async () => {
    const mine = await somebodys();
    const form = () => formOf({ ...goodForm("approval.answer", mine), seen: "sha256:0" });
    const { status, text } = await send("approval.answer", form(), mine.owner, scripted);
    const plain = await send("approval.answer", form(), mine.owner);
    expect([status, plain.status, plain.to]).toEqual([409, 303, "/approvals?sort=newest"]);
    const { message } = JSON.parse(text);
    expect(message).toBe("This question has changed. Review the question, then answer again.");
    const said = plain.headers.getSetCookie().join("\n");
    expect(said).toMatch(/^countersign-said-0=[\w-]+; path=\/; max-age=20; httponly; samesite=strict$/m);
  });

  it("shows a new secret only once", async () => {
    const { owner, ...mine } = await somebodys();
    const secrets = ownerActions.filter(({ secret }) => secret).map(({ name }) => name);
    expect(secrets.length).toBeGreaterThan(4);
    for (const name of secrets) {
      const { status, to, text, headers } = await send(name, formOf(goodForm(name, { owner, ...mine })), owner);
      expect([name, status, to, headers.getSetCookie(), headers.get("cache-control")]).toEqual([
        name,
        200,
        null,
        [],
        "no-store",
      ]);
      expect(text).toMatch(
        /<h1>[^<]+<\/h1>.*<figure><figcaption>[^<]+<\/figcaption><pre>[^<]+<\/pre>.*<a href="\/[^"]+">(Continue|Go to the (app|webhook)’s page)/s,
      );
    }
  });

  it("sets only the browser state that the action returns", async () => {
    const { owner } = await somebodys();
    const kept: unknown[] = [];
    const body = formOf({ setting: "theme", value: "dark" });
    const request = new Request("http://localhost:3000/acts/setting.change", {
      method: "POST",
      body,
      headers: scripted,
    });
    const whose = async () => owner as unknown as SignedIn;
    const reply = await runAction(actions.get("setting.change"), request, whose, async (_, it) => {
      kept.push(it);
    });
    expect([await reply.json(), kept]).toEqual([
      { ok: true },
      [{ look: { theme: "dark", density: "comfortable", motion: "system" } }],
    ]);
  });

  it("shows an error that is too long for the flash on a separate page", async () => {
    const mine = await somebodys();
    const words = Array.from({ length: 9_000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      "",
    );
    const { status, text } = await send(
      "approval.answer",
      formOf({ ...goodForm("approval.answer", mine), id: words }),
      mine.owner,
    );
    expect([status, text]).toEqual([404, expect.stringContaining("Not found")]);
  });

  it("shows a separate error page if the session lookup fails", async () => {
    const request = () => new Request("http://localhost:3000/acts/approval.undo", { method: "POST", body: formOf({}) });
    const away = async () => {
      throw new AppError(503, "Service unavailable");
    };
    const reply = await runAction(actions.get("approval.undo"), request(), away);
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining("Service unavailable.")]);
  });
});

describe("visitor's form", () => {
  /** Returns the response to a signed-out browser, and the state that the browser would store. */
  async function visit(name: string, fields: Fields, headers: Record<string, string> = scripted) {
    const kept: unknown[] = [];
    const request = new Request(`http://localhost:3000/acts/${name}`, {
      method: "POST",
      body: formOf(fields),
      headers: { referer: "http://localhost:3000/sign-in?next=/settings", ...headers },
    });
    const whose = () => expect.unreachable("the session was read");
    const reply = await runAction(actions.get(name), request, whose, async (_, it) => {
      kept.push(it);
    });
    return { status: reply.status, to: reply.headers.get("location"), text: await reply.text(), kept };
  }

  it("opens the requested page after a sign-in", async () => {
    const { ownerId, email, password } = await anOwner();
    const form = { email, password, next: "/settings" };
    const session = { session: { ownerId, sessionVersion: 1 } };
    expect(await visit("session.start", form)).toEqual({
      status: 200,
      to: null,
      text: '{"ok":true,"redirectTo":"/settings"}',
      kept: [session],
    });
    expect(await visit("session.start", form, {})).toMatchObject({ status: 303, to: "/settings", kept: [session] });
    const foreign = await visit("session.start", { ...form, next: "//evil.example" }, {});
    expect(foreign.to).toBe("/approvals");
  });

  it("shows the error for a wrong password on the form's page", async () => {
    const { email } = await anOwner();
    const form = { email, password: "not my password at all", next: "/settings" };
    // Scripts would interpret 401 as an ended session.
    expect(await visit("session.start", form)).toMatchObject({
      status: 400,
      text: '{"ok":false,"message":"The email or password is wrong"}',
      kept: [],
    });
    expect(await visit("session.start", form, {})).toMatchObject({
      status: 303,
      to: "/sign-in?next=/settings",
      kept: [],
    });
  });

  it.each(visitorActions)("rejects a visitor's incomplete form: $name", async ({ name, input }) => {
    if (input.safeParse(readForm(input, new FormData())).success) return;
    const { status, kept } = await visit(name, {});
    expect([status, kept]).toEqual([400, []]);
  });
});
