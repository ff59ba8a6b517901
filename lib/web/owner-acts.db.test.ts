import { beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { submitApproval } from "@/lib/approvals/approvals";
import { readApproval } from "@/lib/approvals/inbox";
import { pool } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/keys/ids";
import { pushNotification } from "@/lib/notifications/notifications";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import type { SignedIn } from "./auth";
import { ownerActs } from "./owner-acts";
import { performAct } from "./perform-act";
import { readForm } from "./read-form";

const acts = [...ownerActs.values()];
const page = "http://localhost:3000/approvals?sort=newest";
const scripted = { accept: "application/json" };

type Fields = Record<string, string | string[]>;
const formOf = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [value].flat().map((it) => [name, it])));

/** What the browser of this owner is answered, or of nobody. */
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
  const reply = await performAct(ownerActs.get(name), request, async () => owner as SignedIn | null);
  return { status: reply.status, to: reply.headers.get("location"), text: await reply.text(), headers: reply.headers };
}

/** A question and a notification of somebody's, and what their app is called. */
async function somebodys() {
  const { owner, app, clientId } = await anAppWith("approvals:write", "notifications:write");
  const options = [{ id: "yes", label: "Yes" }];
  const { id: approval } = await submitApproval(app, { question: "Ship it?", options });
  const { id: notification } = await pushNotification(app, { title: "Shipped", type: "ship" });
  return { owner, clientId, approval, notification, seen: (await readApproval(owner, approval)).contentHash };
}
type Things = Pick<Awaited<ReturnType<typeof somebodys>>, "clientId" | "approval" | "notification" | "seen">;

/** A form that the act takes, about these things: read from what it says that it takes. */
function goodForm(name: string, things: Things): Fields {
  const act = ownerActs.get(name);
  const shape = z.toJSONSchema(act?.input ?? z.never(), { io: "input", unrepresentable: "any" });
  const subject = name.startsWith("notification.") ? things.notification : things.approval;
  const known: Record<string, string> = { id: subject, ids: subject, upTo: subject, ...things };
  return Object.fromEntries(
    Object.entries(shape.properties ?? {}).map(([field, says]) => {
      const [first] = (typeof says === "object" && says.enum) || [];
      return [field, typeof first === "string" ? first : (known[field] ?? (field === "at" ? "0" : "yes"))];
    }),
  );
}

it("gives every act a name of its own that an address can hold, and finds it by no other", async () => {
  expect(new Set(acts.map(({ name }) => name)).size).toBe(acts.length);
  for (const { name } of acts) expect(name).toMatch(/^[a-z]+\.[a-z0-9-]+$/);
  for (const name of ["toString", "__proto__", "approval", "approval.answer "])
    expect([name, await send(name, formOf({}), await anOwner(), scripted)]).toEqual([
      name,
      expect.objectContaining({ status: 404, text: '{"ok":false,"message":"Not found"}' }),
    ]);
});

describe.each(acts)("$name", ({ name, input, fresh }) => {
  it("is for who is signed in: scripts are told, plain forms led to sign in and back", async () => {
    const form = formOf({ id: "x" });
    expect(await send(name, form, null, scripted)).toMatchObject({
      status: 401,
      text: '{"ok":false,"message":"Sign in again"}',
    });
    expect(await send(name, form, null)).toMatchObject({
      status: 303,
      to: `/sign-in?next=${encodeURIComponent("/approvals?sort=newest")}`,
    });
  });

  it("refuses what is no form, and a form that lacks what it takes", async () => {
    const owner = await anOwner();
    for (const headers of [scripted, {}]) {
      const broken = await send(name, "{", owner, { ...headers, "content-type": "application/json" });
      expect([broken.status, broken.text]).toEqual([400, expect.stringContaining("The form could not be read")]);
    }
    if (input.safeParse(readForm(input, new FormData())).success) return;
    const empty = await send(name, formOf({}), owner, scripted);
    expect([empty.status, JSON.parse(empty.text)]).toEqual([400, expect.objectContaining({ ok: false })]);
  });

  it.runIf(fresh)("takes a fresh sign-in", async () => {
    const { owner, ...things } = await somebodys();
    const { status, text } = await send(name, formOf(goodForm(name, things)), { ...owner, fresh: false }, scripted);
    expect([status, JSON.parse(text).signIn]).toEqual([403, expect.stringContaining("/sign-in/again?next=")]);
  });
});

describe("what is another owner's", () => {
  let victim: Awaited<ReturnType<typeof somebodys>>;
  beforeAll(async () => {
    victim = await somebodys();
  });
  const tables = ["approval", "approval_desk", "approval_question", "notification", "app_choice", "event"];
  const rows = () =>
    Promise.all(
      tables.map(async (table) => {
        const text = `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS all FROM ${table} t WHERE owner_id = $1`;
        return (await pool().query(text, [victim.owner.ownerId])).rows;
      }),
    );

  test.each(acts)("is for $name as if it did not exist, and stays as it is", async ({ name }) => {
    const before = await rows();
    const owner = await anOwner();
    const unknown = { ...victim, clientId: newId("app"), approval: newId("apr"), notification: newId("ntf") };
    const answers = [];
    for (const things of [victim, unknown]) {
      const { status, text } = await send(name, formOf(goodForm(name, things)), owner, scripted);
      const { approval, notification, clientId } = things;
      answers.push([status, text.replaceAll(approval, "it").replaceAll(notification, "it").replaceAll(clientId, "it")]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect([200, 404]).toContain(answers[0]?.[0]);
    expect(await rows()).toEqual(before);
  });

  test("the owner's own forms are taken as they are made here", async () => {
    const mine = await somebodys();
    for (const { name } of acts) {
      const { status, text } = await send(name, formOf(goodForm(name, mine)), mine.owner, scripted);
      expect([name, status === 400 ? text : "taken"]).toEqual([name, "taken"]);
    }
  });
});

describe("a plain form", () => {
  it("leads to the act's next page, or back to the page that it is on", async () => {
    const mine = await somebodys();
    const to = async (name: string) => (await send(name, formOf(goodForm(name, mine)), mine.owner)).to;
    expect(await to("approval.answer")).toBe(`/approvals/${mine.approval}`);
    expect(await to("notification.read")).toBe("/approvals?sort=newest");
    const elsewhere = await send("notification.read", formOf({ ids: mine.notification }), mine.owner, {
      referer: "https://evil.example//evil.example",
    });
    expect(elsewhere.to).toBe("/approvals");
  });

  it("that is refused leads back with the sentence that scripts are told", async () => {
    const mine = await somebodys();
    const form = () => formOf({ ...goodForm("approval.answer", mine), seen: "sha256:0" });
    const { status, text } = await send("approval.answer", form(), mine.owner, scripted);
    const plain = await send("approval.answer", form(), mine.owner);
    expect([status, plain.status, plain.to]).toEqual([409, 303, "/approvals?sort=newest"]);
    const { message } = JSON.parse(text);
    expect(message).toBe("This question changed. Look again.");
    const said = plain.headers.getSetCookie().join("\n");
    expect(said).toMatch(/^countersign-said-0=[\w-]+; path=\/; max-age=20; httponly; samesite=strict$/m);
  });

  it("whose words are too long to be kept for the page that follows is told so at once", async () => {
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

  it("is told by itself where nothing can be known, as scripts are", async () => {
    const request = () => new Request("http://localhost:3000/acts/approval.undo", { method: "POST", body: formOf({}) });
    const away = async () => {
      throw new AppError(503, "Service unavailable");
    };
    const reply = await performAct(ownerActs.get("approval.undo"), request(), away);
    expect([reply.status, await reply.text()]).toEqual([503, expect.stringContaining("Service unavailable.")]);
  });
});
