import { expect } from "vitest";
import { getApproval } from "@/lib/approvals/approvals";
import type { Approval } from "@/lib/approvals/schema";
import { applyRetention } from "@/lib/archive/apply-retention";
import { downloadArchive } from "@/lib/archive/archive";
import { inTransaction, pool } from "@/lib/database/db";
import { listEvents } from "@/lib/event-feed/event-feed";
import { setRetention } from "@/lib/events/retention-policy";
import { answer, ask } from "@/lib/testing/app-with-webhook";
import { eventually } from "@/lib/testing/eventually";
import { anAppWith } from "@/lib/testing/factories";
import { connectWithoutTriggers } from "./connection-without-triggers";
import { explore } from "./explore";

/* What retention removes is either still there, or in the owner's archive. */

const { owner, app } = await anAppWith("approvals:write", "approvals:read");
const ownerId = owner.ownerId;
await inTransaction((client) => setRetention(client, { events: 30, answered: 30 }));
const withoutTriggers = await connectWithoutTriggers();
type Read = { data: { data: { id?: string } }[]; nextCursor: string };

/** Reads all events as an app does, one on each page. @returns the IDs of the approvals, in order */
async function readEvents(): Promise<string[]> {
  const read: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listEvents(app, { after, limit: 1 }, () => new AbortController().signal);
    const { data, nextCursor } = JSON.parse(page.text) as Read;
    if (data.length === 0) return read;
    read.push(...data.flatMap(({ data: { id } }) => (id?.startsWith("apr_") ? [id] : [])));
    after = nextCursor;
  }
}
/** Returns the IDs of the approvals of the events in the log, in order. */
async function logged() {
  const text = "SELECT subject FROM event WHERE owner_id = $1 AND subject LIKE 'apr_%' ORDER BY tx, id";
  return (await pool().query<{ subject: string }>(text, [ownerId])).rows.map(({ subject }) => subject);
}
async function archived() {
  let text = "";
  for await (const part of downloadArchive(owner)) text += part;
  const lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    answers: lines.flatMap(({ approval }) => (approval ? [approval.id as string] : [])),
    events: lines.flatMap(({ activity }) => (activity?.subject.startsWith("apr_") ? [activity.subject as string] : [])),
  };
}

/** An answer that has not expired. */
const kept = await ask(app);
await answer(owner, kept);
/** The question of the former run, which this run answers. */
let pending: string | undefined;

explore({
  title: "lets no reader miss an event or see half an answer while instances remove what has expired",
  passing: ["app: begin", "reader: begin", "batch answered, not delivered"],
  alone: true,
  async prepare() {
    await pool().query("DELETE FROM archive_part WHERE owner_id = $1", [ownerId]);
    const id = pending ?? (await ask(app));
    await answer(owner, id);
    const old = "now() - interval '40 days'";
    await withoutTriggers.query(`UPDATE event SET created_at = ${old} WHERE created_at > ${old}`);
    await withoutTriggers.query(`UPDATE approval SET created_at = ${old}, resolved_at = ${old} WHERE id = $1`, [id]);
    return { id, events: await logged() };
  },
  actors: ({ id }) => ({
    app: () => ask(app),
    crashing: () => applyRetention(),
    instance: () => applyRetention(),
    list: readEvents,
    reader: async () => JSON.parse((await getApproval(app, id)).text) as Approval,
  }),
  crashing: ["crashing"],
  async check({ id, events }, { app: asking, instance, list, reader }) {
    for (const it of [asking, instance]) if (it.status === "rejected") throw it.reason;
    if (reader.status === "fulfilled") expect(reader.value.resolution).toMatchObject({ optionId: "yes" });
    else expect(reader.reason).toMatchObject({ status: 404 });
    // Events about a removed answer are left out.
    const isKept = (subject: string) => subject !== id;
    pending = (asking as PromiseFulfilledResult<string>).value;
    const all = [...events, pending];
    if (list.status === "rejected") expect(list.reason).toMatchObject({ status: 410 });
    // Earlier events may have expired before the first read, and later ones may not be final yet.
    else expect(all.filter(isKept).join()).toContain(list.value.filter(isKept).join());
    // Another test's open transaction delays what may be removed.
    await eventually(async () => {
      await applyRetention();
      expect(await logged()).toEqual([pending]);
    });
    expect(await archived()).toEqual({ answers: [id], events });
    const resolved = "SELECT id FROM approval WHERE owner_id = $1 AND status = 'resolved' AND id = ANY ($2)";
    expect((await pool().query(resolved, [ownerId, [id, kept]])).rowCount).toBe(1);
  },
});
