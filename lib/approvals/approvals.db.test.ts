import { expect, test } from "vitest";
import type { Approval } from "@/lib/approvals/schema";
import { db } from "@/lib/database/db";
import { subscribe } from "@/lib/events/pubsub";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { getApproval, listApprovals, resolveApproval, submitApproval } from "./approvals";
import { contentHash } from "./content-hash";

const ship = { kind: "option", optionId: "ship" } as const;
const wait = { kind: "option", optionId: "wait" } as const;
const read = async (...args: Parameters<typeof getApproval>) =>
  JSON.parse((await getApproval(...args)).text) as Approval;

test("returns a question exactly as asked", async () => {
  const { app, owner, clientId } = await anAppWith("approvals:write");
  const ask = {
    ...aQuestion,
    question: 'Line one\n"quoted" \\ 🙂 é',
    backgroundContext: "# Why\n\n- a\tb",
    recommendation: "ship",
  };
  const { id } = await submitApproval(app, ask);
  const asked = await read(app, id);
  expect(asked).toEqual({
    _id: id,
    _creationTime: expect.any(Number),
    clientId,
    ...ask,
    status: "pending",
    contentHash: contentHash(ask),
  });
  await resolveApproval(owner, id, { kind: "other", otherText: "Tomorrow\nplease", note: "I am out" });
  const { resolution, ...answered } = await read(app, id);
  expect(answered).toEqual({ ...asked, status: "resolved" });
  expect(resolution).toEqual({
    kind: "other",
    otherText: "Tomorrow\nplease",
    note: "I am out",
    resolvedBy: "owner",
    resolvedAt: expect.any(Number),
  });
  expect(resolution?.resolvedAt).toBeGreaterThanOrEqual(asked._creationTime);
});

test("rejects a second answer without changing the first", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  const { id } = await submitApproval(app, aQuestion);
  await resolveApproval(owner, id, ship);
  await expect(resolveApproval(app, id, wait)).rejects.toMatchObject({ status: 409, message: "Already resolved" });
  expect(await read(app, id)).toMatchObject({ resolution: { optionId: "ship", resolvedBy: "owner" } });
});

test("accepts exactly one of a hundred concurrent answers", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  for (let round = 0; round < 10; round++) {
    const { id } = await submitApproval(app, aQuestion);
    const answers = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        resolveApproval(n % 2 ? owner : app, id, { ...(n % 3 ? ship : wait), note: String(n) }),
      ),
    );
    const winners = answers.flatMap((answer, n) => (answer.status === "fulfilled" ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === "rejected") expect(answer.reason).toMatchObject({ status: 409 });
    const [winner] = winners as [number];
    const { resolution } = await read(app, id);
    expect(resolution).toMatchObject({ note: String(winner), resolvedBy: winner % 2 ? "owner" : "api" });
    expect(await db.event.count({ where: { subject: id, type: "approval.resolved" } })).toBe(1);
  }
});

test("rejects an option that was not offered", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  const { id } = await submitApproval(app, aQuestion);
  for (const optionId of ["maybe", "SHIP", "__proto__", ""])
    await expect(resolveApproval(owner, id, { kind: "option", optionId })).rejects.toMatchObject({ status: 400 });
  expect(await read(app, id)).not.toHaveProperty("resolution");
  await resolveApproval(owner, id, ship);
  await expect(resolveApproval(owner, id, { kind: "option", optionId: "maybe" })).rejects.toMatchObject({
    status: 409,
  });
});

test("hides approvals from other apps and owners", async () => {
  const mine = await anAppWith("approvals:write");
  const { id } = await submitApproval(mine.app, aQuestion);
  const stranger = await anAppWith("approvals:write");
  await expect(getApproval(stranger.app, id)).rejects.toMatchObject({ status: 404 });
  for (const actor of [stranger.app, stranger.owner, await anOwner()])
    await expect(resolveApproval(actor, id, ship)).rejects.toMatchObject({ status: 404 });
  expect((await listApprovals(stranger.app, {})).text).toBe('{"data":[]}');
});

test("rejects direct changes to questions, answers and events in the database", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  const { id } = await submitApproval(app, aQuestion);
  const refused = (sql: string) => expect(db.$executeRawUnsafe(sql, id)).rejects.toThrow();
  await expect(submitApproval(app, { ...aQuestion, risk: "severe" as "high" })).rejects.toThrow("risk_known");
  await refused("UPDATE approval SET question = 'Other?' WHERE id = $1");
  await refused("UPDATE approval SET options = '[]' WHERE id = $1");
  await refused("UPDATE approval SET status = 'resolved' WHERE id = $1");
  await refused(
    `UPDATE approval SET resolution = '{"kind":"option","optionId":"ship","resolvedBy":"owner"}' WHERE id = $1`,
  );
  await refused(
    `UPDATE approval SET status = 'resolved', resolved_at = now(), resolution = '{"kind":"option"}' WHERE id = $1`,
  );
  await refused(`UPDATE approval SET status = 'resolved', resolved_at = now(), resolution = '{}' WHERE id = $1`);
  await resolveApproval(owner, id, ship);
  await refused("UPDATE approval SET status = 'pending', resolution = NULL, resolved_at = NULL WHERE id = $1");
  await refused("UPDATE event SET type = 'x' WHERE subject = $1");
  await refused("DELETE FROM event WHERE subject = $1");
});

test("pages through every approval exactly once while more approvals arrive", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  const ids: string[] = [];
  for (let n = 0; n < 25; n++) ids.unshift((await submitApproval(app, aQuestion)).id);
  const answered = ids.filter((_, n) => n % 2);
  for (const id of answered) await resolveApproval(owner, id, ship);

  for (const [status, wanted] of [
    [undefined, ids],
    ["pending", ids.filter((id) => !answered.includes(id))],
    ["resolved", answered],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const found = await listApprovals(app, { limit: 4, ...(cursor && { cursor }), ...(status && { status }) });
      const { data } = JSON.parse(found.text) as { data: Approval[] };
      expect(data.length).toBeLessThanOrEqual(4);
      seen.push(...data.map(({ _id }) => _id));
      await submitApproval(app, aQuestion);
      cursor = found.nextCursor;
    } while (cursor);
    expect(seen.filter((id) => ids.includes(id))).toEqual(wanted);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

test("updates open pages after a new question and after its answer", async () => {
  const { app, owner } = await anAppWith("approvals:write");
  let told = 0;
  const stop = subscribe(owner.ownerId, () => told++);
  const { id } = await submitApproval(app, aQuestion);
  expect(told).toBeGreaterThan(0);
  const before = told;
  await resolveApproval(app, id, ship);
  expect(told).toBeGreaterThan(before);
  stop();
});
