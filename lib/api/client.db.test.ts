import { expect, it } from "vitest";
import { Countersign } from "@/lib/client/countersign";
import { db } from "@/lib/db";
import { watchers } from "@/lib/events/lookout";
import { createFront } from "@/lib/front/front";
import { startFront } from "@/lib/testing/api";
import { anAppWith } from "@/lib/testing/factories";
import { ownerAnswers } from "@/lib/testing/owner-answers";
import { aQuestion } from "@/lib/testing/questions";

// The client against the service itself; what it does when things break is in lib/client.
const { port } = await startFront();
const baseUrl = `http://127.0.0.1:${port}`;

async function aProgram(...scopes: Parameters<typeof anAppWith>) {
  const party = await anAppWith(...scopes);
  return { ...party, countersign: new Countersign({ baseUrl, token: party.token }) };
}
const ship = { kind: "option", optionId: "ship" } as const;

it("asks, waits, and holds the owner's answer; reads it again, in lists and as events", async () => {
  const { countersign, owner } = await aProgram("approvals:write", "approvals:read");
  const ids: string[] = [];
  const asking = countersign.ask({ ...aQuestion, onAsked: (id) => ids.push(id) });
  await expect.poll(watchers).toBe(1);
  const [waiting] = (await countersign.approvals.list({ status: "pending" })).data;
  await ownerAnswers(owner, waiting?._id as string, { ...ship, note: "Go" });
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

it("with a key asks once, also as another program", async () => {
  const { countersign, token } = await aProgram("approvals:write", "approvals:read", "approvals:resolve");
  const first = await countersign.ask({ ...aQuestion, key: "418", timeoutMs: 100 }).catch((error) => error);
  expect(first).toMatchObject({ name: "NotAnswered", id: expect.stringMatching(/^apr_/) });
  await countersign.approvals.resolve(first.id, ship);
  const again = await new Countersign({ baseUrl, token }).ask({ ...aQuestion, key: "418" });
  expect(again).toMatchObject({ id: first.id, chosen: "ship", by: "api" });
  expect(again.yes("ship")).toBe(false);
});

it("goes on when the service is started again while it waits", async () => {
  const { token, owner } = await aProgram("approvals:write", "approvals:read");
  const pages = async (_: unknown, res: { writeHead(status: number): { end(): void } }) =>
    void res.writeHead(404).end();
  const start = async (at: number) => {
    const front = createFront(pages as never);
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
  await ownerAnswers(owner, id, ship);
  const two = await start(one.at);
  expect(await asking).toMatchObject({ id, chosen: "ship" });
  expect(await db.approval.count({ where: { ownerId: owner.ownerId } })).toBe(1);
  two.front.server.closeAllConnections();
  await new Promise((resolve) => two.front.server.close(resolve));
});

it("notifies, and says what the owner did not allow", async () => {
  const { countersign } = await aProgram("notifications:write");
  expect(await countersign.notify({ title: "Done" })).toMatch(/^ntf_/);
  await expect(countersign.ask(aQuestion)).rejects.toMatchObject({ name: "CountersignError", status: 403 });
  expect(await countersign.integrations()).toEqual({ data: [] });
});
