import pg from "pg";
import { expect, test, vi } from "vitest";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { watchers } from "@/lib/events/watch-app-events";
import { type Answered, startFront } from "@/lib/testing/api-server";
import { anAppWith, aTokenFor } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { statementsWith } from "@/lib/testing/spied-sql-statements";

const { ask } = await startFront();

async function asked() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  const { token } = made;
  const { id } = (await ask("POST", "/api/approvals", { token, body: aQuestion })).body as { id: string };
  return {
    ...made,
    id,
    waitFor: (seconds: number) => ask("GET", `/api/approvals/${id}?wait=${seconds}`, { token }),
    add: (text: string) => ask("POST", `/api/approvals/${id}/additions`, { token, body: { text } }),
    resolve: () => ask("POST", `/api/approvals/${id}/resolve`, { token, body: { kind: "option", optionId: "ship" } }),
  };
}
const waiting = (count: number) => expect.poll(watchers).toBe(count);
const questionsOf = ({ body }: Answered) =>
  ((body as { questions?: { text: string }[] }).questions ?? []).map(({ text }) => text);
const expectAsked = (reply: Answered, ...questions: string[]) => {
  expect([reply.status, reply.headers.get("retry-after"), questionsOf(reply)]).toEqual([200, null, questions]);
  expect(reply.body).toMatchObject({ status: "pending" });
};
const expectLate = (reply: Answered, ...questions: string[]) =>
  expect([reply.status, reply.headers.get("retry-after"), questionsOf(reply)]).toEqual([200, "1", questions]);

test("ends every wait that is open when a clarification arrives", async () => {
  const { owner, id, waitFor, add, resolve } = await asked();
  const [first, beside] = [waitFor(30), waitFor(30)];
  await waiting(2);
  await askClarification(owner, id, "Which build?");
  expectAsked(await first, "Which build?");
  expectAsked(await beside, "Which build?");
  // If a client ignores clarifications, a clarification does not end its wait.
  const reads = vi.spyOn(pg.Client.prototype, "query");
  expectLate(await waitFor(1), "Which build?");
  const gets = statementsWith("AS found", reads);
  expect(gets.length).toBeGreaterThan(0);
  expect(gets.length).toBeLessThan(10);
  vi.restoreAllMocks();

  const second = waitFor(30);
  await waiting(1);
  expect((await add("418")).status).toBe(200);
  await new Promise((done) => setTimeout(done, 150));
  await waiting(1);
  await askClarification(owner, id, "Sure?");
  expectAsked(await second, "Which build?", "Sure?");
  const last = waitFor(30);
  await waiting(1);
  await resolve();
  expect((await last).body).toMatchObject({ status: "resolved", additions: [{ text: "418" }] });
});

test("ends only the first wait that begins after a clarification", async () => {
  const { owner, id, waitFor } = await asked();
  await askClarification(owner, id, "Which build?");
  await askClarification(owner, id, "And why?");
  expectAsked(await waitFor(30), "Which build?", "And why?");
  expectLate(await waitFor(1), "Which build?", "And why?");
});

test("ends no wait for a clarification that the app already answered", async () => {
  const { owner, id, waitFor, add } = await asked();
  await askClarification(owner, id, "Which build?");
  await add("418");
  expectLate(await waitFor(1), "Which build?");
});

test("ends a submission's wait after a clarification", async () => {
  const { token, owner, id: other } = await asked();
  const post = (seconds: number) =>
    ask("POST", `/api/approvals?wait=${seconds}`, {
      token,
      body: aQuestion,
      headers: { "idempotency-key": "build-419" },
    });
  const wait = post(30);
  await waiting(1);
  const { body } = await ask("GET", "/api/approvals", { token });
  const { _id: id = "" } = (body as { data: { _id: string }[] }).data.find(({ _id }) => _id !== other) ?? {};
  await askClarification(owner, id, "Why?");
  const reply = await wait;
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([201, null]);
  expect(reply.body).toMatchObject({ id, status: "pending", questions: [{ text: "Why?" }] });
  const again = await post(1);
  expect([again.headers.get("idempotent-replayed"), again.headers.get("retry-after")]).toEqual(["true", "1"]);
});

test("includes the clarification text in events only for apps with approvals:read", async () => {
  const { token, owner, clientId, id } = await asked();
  await askClarification(owner, id, 'Which "build"?');
  const events = async (with_: string) =>
    ((await ask("GET", "/api/events", { token: with_ })).body as { data: { type: string; data: unknown }[] }).data;
  await expect
    .poll(async () => (await events(token)).at(-1))
    .toMatchObject({ type: "approval.question_asked", data: { id, question: 'Which "build"?' } });
  const { token: blind } = await aTokenFor(owner, clientId, ["approvals:write"]);
  expect((await events(blind)).map(({ type }) => type)).not.toContain("approval.question_asked");
});
