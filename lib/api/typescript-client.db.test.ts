import { expect, it } from "vitest";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { Countersign, refreshingToken } from "@/lib/client/countersign";
import { verifyReceipt } from "@/lib/client/receipts";
import { db } from "@/lib/database/db";
import { watchers } from "@/lib/events/watch-app-events";
import { createHttpServer } from "@/lib/http/server";
import { tokenEndpoint } from "@/lib/oauth/token-endpoint";
import { publicKeys } from "@/lib/receipts/receipt-keys";
import { answerApproval } from "@/lib/testing/answer-approval";
import { startFront } from "@/lib/testing/api-server";
import { anAppWith } from "@/lib/testing/factories";
import { aGrantedToken, aParty } from "@/lib/testing/oauth-flow";
import { aQuestion } from "@/lib/testing/sample-question";

// Tests the client against the service itself. lib/client tests how the client handles failures.
const { port } = await startFront();
const baseUrl = `http://127.0.0.1:${port}`;

async function aProgram(...scopes: Parameters<typeof anAppWith>) {
  const party = await anAppWith(...scopes);
  return { ...party, countersign: new Countersign({ baseUrl, token: party.token }) };
}
const ship = { kind: "option", optionId: "ship" } as const;

it("waits for the owner's answer to a question", async () => {
  const { countersign, owner } = await aProgram("approvals:write", "approvals:read");
  const ids: string[] = [];
  const asking = countersign.ask({ ...aQuestion, onAsked: (id) => ids.push(id) });
  await expect.poll(watchers).toBe(1);
  const [waiting] = (await countersign.approvals.list({ status: "pending" })).data;
  await answerApproval(owner, waiting?._id as string, { ...ship, note: "Go" });
  const answer = await asking;
  expect(answer).toMatchObject({ id: waiting?._id, chosen: "ship", note: "Go", by: "owner" });
  expect([answer.yes("ship"), ids]).toEqual([true, [answer.id]]);
  expect((await countersign.approvals.get(answer.id)).resolution).toEqual(answer.resolution);
  expect((await countersign.approvals.wait(answer.id)).chosen).toBe("ship");
  const types: string[] = [];
  for await (const { type, data } of countersign.events()) {
    types.push(type);
    if (type === "approval.resolved" && data.id === answer.id) break;
  }
  expect(types).toEqual(["grant.changed", "approval.submitted", "approval.resolved"]);
});

it("verifies an answer's receipt only with the question's exact facts", async () => {
  const { countersign, owner, clientId } = await aProgram("approvals:write", "approvals:read");
  const facts = [
    { label: "Amount", value: "86.40 €" },
    { label: "To", value: 'Ada "A"' },
  ];
  const content = { ...aQuestion, facts };
  const approvalId = await countersign.approvals.create(content);
  const asked = await countersign.approvals.get(approvalId);
  expect(asked.facts).toEqual(facts);
  await answerApproval(owner, approvalId, ship);
  const receipt = await countersign.approvals.receipt(approvalId);
  const checks = {
    issuer: "http://localhost:3000",
    audience: clientId,
    owner: owner.ownerId,
    approvalId,
    jwks: { keys: await publicKeys() },
  };
  for (const same of [content, asked])
    expect((await verifyReceipt(receipt, { ...checks, content: same })).yes("ship")).toBe(true);
  for (const other of [aQuestion, { ...content, facts: [{ label: "Amount", value: "8640 €" }, ...facts.slice(1)] }])
    await expect(verifyReceipt(receipt, { ...checks, content: other })).rejects.toThrow("contentHash does not match");
});

it("requires the owner to pick the number that the client sent", async () => {
  const { countersign, owner } = await aProgram("approvals:write", "approvals:read");
  const id = await countersign.approvals.create({ ...aQuestion, risk: "high", match: "47" });
  await expect(answerApproval(owner, id, ship)).rejects.toMatchObject({ status: 409 });
  await expect(countersign.approvals.create({ ...aQuestion, match: "47" })).rejects.toThrow(
    'Bad request: match: Requires risk "high"',
  );
});

it("reuses a question when another program asks with the same key", async () => {
  const { countersign, token } = await aProgram("approvals:write", "approvals:read", "approvals:resolve");
  const first = await countersign.ask({ ...aQuestion, key: "418", timeoutMs: 100 }).catch((error) => error);
  expect(first).toMatchObject({ name: "NoAnswerError", id: expect.stringMatching(/^apr_/) });
  await countersign.approvals.resolve(first.id, { optionId: "ship" });
  const again = await new Countersign({ baseUrl, token }).ask({ ...aQuestion, key: "418" });
  expect(again).toMatchObject({ id: first.id, chosen: "ship", by: "api" });
  expect(again.yes("ship")).toBe(false);
});

it("continues waiting after the service restarts", async () => {
  const { token, owner } = await aProgram("approvals:write", "approvals:read");
  const pages = async (_: unknown, res: { writeHead(status: number): { end(): void } }) =>
    void res.writeHead(404).end();
  const start = async (at: number) => {
    const front = createHttpServer(pages as never);
    await new Promise<void>((resolve) => front.server.listen(at, "127.0.0.1", resolve));
    return { front, at: (front.server.address() as { port: number }).port };
  };
  const one = await start(0);
  const asking = new Countersign({ baseUrl: `http://127.0.0.1:${one.at}`, token }).ask(aQuestion);
  await expect.poll(watchers).toBe(1);
  one.front.server.closeAllConnections();
  await new Promise((resolve) => one.front.server.close(resolve));
  await expect.poll(watchers).toBe(0);
  const { id } = await db.approval.findFirstOrThrow({ where: { ownerId: owner.ownerId } });
  await answerApproval(owner, id, ship);
  const two = await start(one.at);
  expect(await asking).toMatchObject({ id, chosen: "ship" });
  expect(await db.approval.count({ where: { ownerId: owner.ownerId } })).toBe(1);
  two.front.server.closeAllConnections();
  await new Promise((resolve) => two.front.server.close(resolve));
});

it("reports a missing permission as an error", async () => {
  const { countersign } = await aProgram("notifications:write");
  expect(await countersign.notifications.create({ title: "Done" })).toMatch(/^ntf_/);
  await expect(countersign.ask(aQuestion)).rejects.toMatchObject({ name: "CountersignError", status: 403 });
  expect(await countersign.integrations.list()).toEqual({ data: [] });
});

it("completes an approval with a clarification, receipt and outcome", async () => {
  const { countersign, owner, token, clientId } = await aProgram("approvals:write", "approvals:read");
  const question = { ...aQuestion, expiresAt: Date.now() + 600_000, ownerOnly: true };
  const asking = countersign.ask({
    ...question,
    onQuestion: (asked) => `You asked: ${asked} Build 418 “naïve” \u{1f680}`,
  });
  await expect.poll(watchers).toBe(1);
  const id = (await countersign.approvals.list()).data[0]?._id as string;
  await askClarification(owner, id, "Which build?");
  await expect.poll(async () => (await countersign.approvals.get(id)).additions?.length).toBe(1);
  await answerApproval(owner, id, ship);
  expect((await asking).yes("ship")).toBe(true);

  const approval = await countersign.approvals.get(id);
  const jws = await countersign.approvals.receipt(id);
  const checks = {
    issuer: "http://localhost:3000",
    jwks: { keys: await publicKeys() },
    audience: clientId,
    owner: owner.ownerId,
    approvalId: id,
  };
  const receipt = await verifyReceipt(jws, { ...checks, content: approval, contentHash: approval.contentHash });
  expect(receipt.yes("ship")).toBe(true);
  const { additions: _, ...asAsked } = approval;
  for (const content of [asAsked, { ...approval, question: "Ship build 419?" }])
    await expect(verifyReceipt(jws, { ...checks, content })).rejects.toThrow("contentHash does not match");
  await expect(verifyReceipt(jws, { ...checks, audience: "app_other" })).rejects.toThrow("aud does not match");

  await countersign.approvals.report(id, { status: "done", text: "Deployed", link: "https://ci.example/418" });
  expect((await new Countersign({ baseUrl, token }).approvals.get(id)).outcome).toMatchObject({ status: "done" });
});

it("iterates over all pages of a list", async () => {
  const { countersign, owner } = await aProgram(
    ...(["approvals:write", "approvals:read", "notifications:write", "notifications:read"] as const),
  );
  const asked: string[] = [];
  for (const key of ["1", "2", "3", "3"]) asked.push(await countersign.approvals.create(aQuestion, { key }));
  expect(asked[3]).toBe(asked[2]);
  const listed: string[] = [];
  for await (const { _id } of countersign.approvals.list({ status: "pending", limit: 2 })) listed.push(_id);
  expect(listed).toEqual(asked.slice(0, 3).reverse());
  await answerApproval(owner, asked[0] as string, ship);
  expect((await countersign.approvals.wait(asked[0] as string)).yes("ship")).toBe(true);

  const told: string[] = [];
  for (const title of ["One", "Two", "Three"]) told.push(await countersign.notifications.create({ title }));
  const titles: string[] = [];
  for await (const { title } of countersign.notifications.list({ limit: 1 })) titles.push(title);
  expect(titles).toEqual(["Three", "Two", "One"]);
  expect(await countersign.notifications.get(told[0] as string)).toMatchObject({ title: "One", type: "general" });
  expect((await countersign.integrations.list()).data).toEqual([]);
});

it("refreshes a rejected access token through OAuth", async () => {
  const party = await aParty({ public: true });
  const { reply, form } = await aGrantedToken(party, { scope: "notifications:write" });
  const saved: string[] = [];
  const token = refreshingToken({
    ...{ baseUrl, clientId: form.client_id as string, accessToken: "csn_at_gone", refreshToken: reply.refresh_token },
    save: ({ refreshToken }) => void saved.push(refreshToken),
    // Calls the token endpoint's handler directly.
    fetch: (url, init) => tokenEndpoint(new Request(url as URL, init)),
  });
  expect(await new Countersign({ baseUrl, token }).notifications.create({ title: "Still here" })).toMatch(/^ntf_/);
  expect(saved).toEqual([expect.stringMatching(/^csn_rt_/)]);
  expect(saved).not.toContain(reply.refresh_token);
});
