import { expect, test } from "vitest";
import { db, inTransaction, pool } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { newId } from "@/lib/ids";
import { readLiveCounts } from "@/lib/live-counts/live-counts";
import { changeSettings } from "@/lib/owners/settings";
import { holdAtPoints } from "@/lib/pause-points";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { sendDueAnswers } from "@/lib/testing/chores";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { getApproval, listApprovals, resolveApproval, submitApproval } from "./approvals";
import { sendAnswersNow, undoAnswers } from "./held-answers";
import { countInbox, readApproval } from "./inbox-queries";
import type { Approval } from "./schema";
import { searchApprovals } from "./search";
import { markUnexpected, type Reaction } from "./triage";

const yes = { kind: "option", optionId: "yes" } as const;
const no = { kind: "option", optionId: "no" } as const;
const ask = {
  question: "Ship it?",
  options: [
    { id: "yes", label: "Yes" },
    { id: "no", label: "No" },
  ],
};

/** Creates an app, and an owner with an undo period of half a minute. */
async function patient() {
  const made = await anAppWith("approvals:write", "approvals:read", "approvals:resolve");
  await changeSettings(made.owner, { undoSeconds: 30 });
  const submit = async () => (await submitApproval(made.app, ask)).id;
  const seen = async (id: string) => {
    const got = JSON.parse((await getApproval(made.app, id)).text) as Approval;
    const { data } = JSON.parse((await listApprovals(made.app, { status: got.status })).text) as { data: Approval[] };
    expect(data).toContainEqual(got);
    return got;
  };
  return { ...made, submit, seen };
}
const due = (id: string) =>
  pool().query("UPDATE approval_triage SET commit_at = now() - interval '1 second' WHERE approval_id = $1", [id]);
const resolutions = (id: string) => db.event.count({ where: { subject: id, type: "approval.resolved" } });

test("uses the operator's undo period by default", async () => {
  configure({ UNDO_SECONDS: "5" });
  const { owner, submit } = await patient();
  const made = await anAppWith("approvals:write");
  const answered = async () => answerApproval(made.owner, (await submitApproval(made.app, ask)).id, yes);
  expect((await answered()).held?.leftMs).toBeLessThanOrEqual(5_000);
  await changeSettings(made.owner, { theme: "dark" });
  expect((await answered()).held?.leftMs).toBeGreaterThan(0);
  await changeSettings(made.owner, { undoSeconds: 0 });
  expect(await answered()).toMatchObject({ won: true });
  expect((await answerApproval(owner, await submit(), yes)).held?.leftMs).toBeGreaterThan(20_000);
  configure({ UNDO_SECONDS: "0" });
});

test("hides a held answer from the app until the answer is due", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  const { held: kept } = await answerApproval(owner, id, { ...yes, note: "Carefully" });
  expect(kept).toMatchObject({ answer: { ...yes, note: "Carefully" } });
  expect(kept?.leftMs).toBeGreaterThan(25_000);
  expect(kept?.leftMs).toBeLessThanOrEqual(30_000);
  expect(await seen(id)).toEqual(expect.objectContaining({ _id: id, status: "pending" }));
  expect((await seen(id)).resolution).toBeUndefined();
  const { approvals } = await searchApprovals(owner, { list: "waiting" });
  expect(approvals.map(({ triage }) => triage.held?.answer)).toEqual([{ ...yes, note: "Carefully" }]);
  expect((await countInbox(owner)).waiting).toBe(0);
  await sendDueAnswers();
  expect((await seen(id)).status).toBe("pending");
  await due(id);
  await sendDueAnswers();
  expect((await seen(id)).resolution).toMatchObject({ ...yes, note: "Carefully", resolvedBy: "owner" });
  expect((await searchApprovals(owner, { list: "waiting" })).approvals).toEqual([]);
  expect((await searchApprovals(owner, { list: "answered" })).approvals.map(({ _id }) => _id)).toEqual([id]);
  expect(await resolutions(id)).toBe(1);
});

test("records an answer immediately if the undo period is zero", async () => {
  const { owner, submit } = await patient();
  await changeSettings(owner, { undoSeconds: 0 });
  const id = await submit();
  expect(await answerApproval(owner, id, yes)).toMatchObject({ won: true, resolution: yes });
  expect(await db.approvalTriage.count({ where: { approvalId: id } })).toBe(0);
});

test("sends a held answer on time even without the periodic chore", async () => {
  const { owner, submit, seen } = await patient();
  await changeSettings(owner, { undoSeconds: 5 });
  const id = await submit();
  await answerApproval(owner, id, yes);
  await expect.poll(async () => (await seen(id)).status).toBe("resolved");
});

test("sends a due answer only once across many instances", async () => {
  const { owner, submit, seen } = await patient();
  for (let round = 0; round < 10; round++) {
    const id = await submit();
    await answerApproval(owner, id, yes);
    await due(id);
    await Promise.all(Array.from({ length: 20 }, () => sendDueAnswers()));
    expect((await seen(id)).resolution).toMatchObject(yes);
    expect(await resolutions(id)).toBe(1);
  }
});

/** Returns the number of database connections that wait for a lock. */
async function waiting() {
  const waits =
    "SELECT FROM pg_stat_activity WHERE datname LIKE current_database() || '%' AND wait_event_type = 'Lock'";
  return (await pool().query(waits)).rowCount;
}
const blocked = (count: number) => expect.poll(waiting).toBe(count);

test("rejects an undo after sending has begun", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  await due(id);
  // The sending transaction has locked the held answer and waits for the approval.
  const { sending, undo } = await inTransaction(async (client) => {
    await client.query("SELECT FROM approval WHERE id = $1 FOR UPDATE", [id]);
    const sending = sendDueAnswers();
    await blocked(1);
    const undo = undoAnswers(owner, [id]);
    await blocked(2);
    return { sending, undo };
  });
  await sending;
  expect(await undo).toEqual({ undone: [], sent: [id] });
  expect((await seen(id)).status).toBe("resolved");
  expect(await resolutions(id)).toBe(1);
});

test("holds no second answer while the first one is being sent", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  await due(id);
  const { sending, second } = await inTransaction(async (client) => {
    await client.query("SELECT FROM approval WHERE id = $1 FOR UPDATE", [id]);
    const sending = sendDueAnswers();
    await blocked(1);
    let hasEnded = false;
    const second = answerApproval(owner, id, no).finally(() => {
      hasEnded = true;
    });
    await expect.poll(async () => hasEnded || (await waiting()) === 2).toBe(true);
    return { sending, second };
  });
  await sending;
  const { held, resolution } = await second;
  expect(held?.answer ?? resolution).toMatchObject(yes);
  expect((await seen(id)).resolution).toMatchObject(yes);
  expect((await db.approvalTriage.findUnique({ where: { approvalId: id } }))?.heldAnswer).toBeNull();
});

test("holds an answer if another device undoes the held one at the same moment", async () => {
  const { owner, submit } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  holdAtPoints(() => {
    holdAtPoints(undefined);
    return undoAnswers(owner, [id]).then(() => {});
  });
  expect((await answerApproval(owner, id, no)).held?.answer).toMatchObject(no);
});

test("never sends an answer that becomes due during an undo", async () => {
  const { owner, submit, seen } = await patient();
  const lock = 418;
  await pool().query(`CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(${lock}); RETURN NEW; END $$;
    CREATE TRIGGER wait_here BEFORE UPDATE ON approval_triage FOR EACH ROW
      WHEN (OLD.commit_at IS NOT NULL AND NEW.commit_at IS NULL) EXECUTE FUNCTION wait_here()`);
  const takenBack = async (ms: number): Promise<string | undefined> => {
    const id = await submit();
    await answerApproval(owner, id, yes);
    const undo = await inTransaction(async (client) => {
      await client.query("SELECT pg_advisory_xact_lock($1)", [lock]);
      const soon =
        "UPDATE approval_triage SET commit_at = clock_timestamp() + make_interval(secs => $2) WHERE approval_id = $1";
      await pool().query(soon, [id, ms / 1000]);
      let hasEnded = false;
      const undo = undoAnswers(owner, [id]).finally(() => {
        hasEnded = true;
      });
      // Waits until the undo is blocked or has ended. If the timer had come first, sending would be
      // blocked instead.
      const waits = sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`;
      await expect.poll(async () => hasEnded || (await waits.rows()).length > 0).toBe(true);
      await pool().query("SELECT pg_sleep($1)", [ms / 1000 + 0.05]);
      if (!hasEnded) await sendDueAnswers();
      return { undo };
    });
    // On a slow machine, the answer may be due before the undo begins. The test then repeats with a
    // longer hold.
    if ((await undo.undo).sent.length > 0) return;
    expect(await undo.undo).toEqual({ undone: [id], sent: [] });
    return id;
  };
  let id: string | undefined;
  for (let ms = 100; id === undefined; ms *= 2) id = await takenBack(ms);
  await pool().query("DROP TRIGGER wait_here ON approval_triage");
  await sendDueAnswers();
  expect((await seen(id)).status).toBe("pending");
  expect(await resolutions(id)).toBe(0);
});

test("returns a consistent result when an undo coincides with an answer's sending", async () => {
  const { owner, submit, seen } = await patient();
  for (let round = 0; round < 24; round++) {
    const id = await submit();
    await answerApproval(owner, id, yes);
    await pool().query(
      "UPDATE approval_triage SET commit_at = clock_timestamp() + interval '4 ms' WHERE approval_id = $1",
      [id],
    );
    await new Promise((resolve) => setTimeout(resolve, round % 8));
    const [{ undone, sent }] = await Promise.all([undoAnswers(owner, [id]), sendDueAnswers(), sendDueAnswers()]);
    await sendDueAnswers();
    const { status } = await seen(id);
    expect([undone, sent, status]).toEqual(status === "pending" ? [[id], [], "pending"] : [[], [id], "resolved"]);
    expect(await resolutions(id)).toBe(status === "pending" ? 0 : 1);
  }
});

test("sends an answer exactly once despite a crash during sending", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  await due(id);
  await pool().query(`CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'gone'; END $$;
    CREATE TRIGGER crash BEFORE UPDATE ON approval_triage FOR EACH ROW WHEN (NEW.held_answer IS NULL) EXECUTE FUNCTION crash()`);
  await expect(sendDueAnswers()).rejects.toThrow("gone");
  expect((await seen(id)).status).toBe("pending");
  expect(await resolutions(id)).toBe(0);
  await pool().query("DROP TRIGGER crash ON approval_triage");
  await sendDueAnswers();
  expect((await seen(id)).resolution).toMatchObject({ ...yes, resolvedBy: "owner" });
  expect(await resolutions(id)).toBe(1);
});

test("discards a held answer if the app answers first", async () => {
  const { owner, app, submit, seen } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  await resolveApproval(app, id, no);
  expect((await readApproval(owner, id)).triage).toMatchObject({ overtaken: true });
  expect((await readApproval(owner, id)).triage.held).toBeUndefined();
  await due(id);
  await sendDueAnswers();
  expect((await seen(id)).resolution).toMatchObject({ ...no, resolvedBy: "api" });
  expect(await resolutions(id)).toBe(1);
  expect((await readApproval(owner, id)).triage).toMatchObject({ overtaken: true, seen: false });
  expect(await db.approvalTriage.count({ where: { commitAt: { not: null }, ownerId: owner.ownerId } })).toBe(0);
});

test("keeps the first of two concurrent held answers", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  const both = await Promise.all([answerApproval(owner, id, yes), answerApproval(owner, id, no)]);
  const [one, other] = both.map((it) => it.held?.answer.optionId);
  expect(one).toBe(other);
  await Promise.all([sendAnswersNow(owner, [id]), sendAnswersNow(owner, [id]), sendDueAnswers()]);
  expect((await seen(id)).resolution?.optionId).toBe(one);
  expect(await resolutions(id)).toBe(1);
  expect(await answerApproval(owner, id, no)).toMatchObject({ won: false, resolution: { optionId: one } });
});

test("returns the same result for a repeated undo", async () => {
  const { owner, submit, seen } = await patient();
  const [one, two] = [await submit(), await submit()];
  await answerApproval(owner, one, yes);
  await answerApproval(owner, two, yes);
  await sendAnswersNow(owner, [two]);
  expect((await seen(two)).status).toBe("resolved");
  expect(await undoAnswers(owner, [one, two])).toEqual({ undone: [one], sent: [two] });
  expect(await undoAnswers(owner, [one])).toEqual({ undone: [one], sent: [] });
  expect((await searchApprovals(owner, { list: "waiting" })).approvals.map(({ _id }) => _id)).toEqual([one]);
  // The owner can now give a different answer.
  await answerApproval(owner, one, no);
  await sendAnswersNow(owner, [one]);
  expect((await seen(one)).resolution).toMatchObject(no);
});

test("prevents another owner from answering a question or undoing its answer", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  const other = await anOwner();
  await changeSettings(other, { undoSeconds: 30 });
  await expect(answerApproval(other, id, yes)).rejects.toMatchObject({ status: 404 });
  await expect(answerApproval(owner, newId("apr"), yes)).rejects.toMatchObject({ status: 404 });
  await expect(answerApproval(owner, id, { kind: "option", optionId: "maybe" })).rejects.toMatchObject({ status: 400 });
  await answerApproval(owner, id, yes);
  expect(await undoAnswers(other, [id])).toEqual({ undone: [], sent: [id] });
  await sendAnswersNow(other, [id]);
  expect((await seen(id)).status).toBe("pending");
});

test("updates open pages after an answer is held or undone", async () => {
  const { owner, submit } = await patient();
  const id = await submit();
  const look = (since = "") => readLiveCounts({ ...owner, session: "none", since });
  const before = await look();
  await answerApproval(owner, id, yes);
  const during = await look(before.version);
  expect([before.pending, during.pending, during.changed]).toEqual([1, 0, true]);
  await undoAnswers(owner, [id]);
  expect((await look()).pending).toBe(1);
});

test.concurrent.each<Reaction>(["note", "mute", "revoke"])(
  "discards a held answer when its question is marked unexpected (reaction: %s)",
  async (reaction) => {
    const { owner, app, clientId, submit } = await patient();
    await changeSettings(owner, { undoSeconds: 5 });
    const id = await submit();
    await answerApproval(owner, id, yes);
    expect(await markUnexpected(owner, id, reaction)).toEqual({ dropped: true });
    expect((await readApproval(owner, id)).triage.held).toBeUndefined();
    // None of the three ways to send an answer sends it: the timer, the chore, or "Send now".
    await new Promise((resolve) => setTimeout(resolve, 5500));
    await sendDueAnswers();
    await sendAnswersNow(owner, [id]);
    expect(await resolutions(id)).toBe(0);
    expect((await readApproval(owner, id)).status).toBe("pending");
    // An app that reconnects can't read the answer either.
    const reader = reaction === "revoke" ? (await aTokenFor(owner, clientId, ["approvals:read"])).app : app;
    expect(JSON.parse((await getApproval(reader, id)).text)).toMatchObject({ status: "pending" });
  },
);

test("discards a held answer when its question is marked unexpected again", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  expect(await markUnexpected(owner, id, "note")).toEqual({ dropped: false });
  await answerApproval(owner, id, yes);
  expect(await markUnexpected(owner, id, "note")).toEqual({ dropped: true });
  expect(await markUnexpected(owner, id, "note")).toEqual({ dropped: false });
  expect((await readApproval(owner, id)).triage).toMatchObject({ unexpected: true });
  expect((await answerApproval(owner, id, yes)).held).toBeDefined();
  await due(id);
  await sendDueAnswers();
  expect((await seen(id)).status).toBe("resolved");
});

test("discards a due but unsent answer when its question is marked unexpected", async () => {
  const { owner, submit, seen } = await patient();
  const id = await submit();
  await answerApproval(owner, id, yes);
  await due(id);
  expect(await markUnexpected(owner, id, "note")).toEqual({ dropped: true });
  await sendDueAnswers();
  expect((await seen(id)).status).toBe("pending");
  expect(await resolutions(id)).toBe(0);
});
