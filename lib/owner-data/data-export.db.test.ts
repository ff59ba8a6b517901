import { expect, test } from "vitest";
import { resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { addToApproval } from "@/lib/approvals/thread/additions";
import { askClarification } from "@/lib/approvals/thread/clarifications";
import { reportOutcome } from "@/lib/approvals/thread/report-outcome";
import { db, pool } from "@/lib/database/db";
import { hashSecret } from "@/lib/keys/secret-tokens";
import { makeRecoveryCodes } from "@/lib/owners/recovery-codes";
import { changeSettings } from "@/lib/owners/settings";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { exportData } from "./data-export";
import { exportedTables } from "./exported-and-deleted-tables";

type Rows = Record<string, unknown>[];
async function read(owner: { kind: "owner"; ownerId: string }) {
  let text = "";
  let maxLength = 0;
  for await (const piece of exportData(owner)) {
    text += piece;
    maxLength = Math.max(maxLength, piece.split("\n").length);
  }
  return { text, longest: maxLength, data: JSON.parse(text) as Record<string, Rows> };
}

test("exports the owner's account, settings, questions, answers, apps and activity", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write");
  const asked = { question: "Ship „418“ \\ now?", options: [{ id: "b", label: "B" }], backgroundContext: "line\nline" };
  const { id } = await submitApproval({ ...app, needs: "approvals:write" }, asked);
  await askClarification(owner, id, "Why now?");
  await addToApproval({ ...app, needs: "approvals:write" }, id, { text: "Because" });
  await resolveApproval(owner, id, { kind: "other", otherText: "Next week" });
  await reportOutcome({ ...app, needs: "approvals:write" }, id, { status: "done", link: "https://ci.example/" });
  await changeSettings(owner, { theme: "dark", quiet: { from: 1320, until: 420 } });
  const { data } = await read(owner);
  expect(Object.keys(data)).toEqual(["exportedAt", ...Object.keys(exportedTables)]);
  expect(data.account).toMatchObject([{ id: owner.ownerId, email: owner.email, name: owner.name }]);
  expect(data.settings).toMatchObject([{ theme: "dark", quietFrom: 1320, quietUntil: 420 }]);
  expect(data.approvalsAnswered).toMatchObject([
    { id, ...asked, status: "resolved", resolution: { kind: "other", otherText: "Next week", resolvedBy: "owner" } },
  ]);
  expect(data.approvalsWaiting).toEqual([]);
  expect(data.approvalsQuestions).toMatchObject([{ approvalId: id, nth: 1, text: "Why now?" }]);
  expect(data.approvalsAdditions).toMatchObject([{ approvalId: id, nth: 1, text: "Because" }]);
  expect(data.approvalsOutcomes).toMatchObject([{ approvalId: id, status: "done", link: "https://ci.example/" }]);
  expect(data.registeredApps).toMatchObject([{ id: clientId }]);
  expect(data.permissions).toMatchObject([{ scope: "approvals:write" }]);
  expect(data.activity?.map(({ type }) => type)).toContain("approval.resolved");
});

test("exports no data of other owners", async () => {
  const { owner } = await anAppWith("approvals:write");
  const { text, data } = await read(await anOwner());
  expect(text).not.toContain(owner.ownerId);
  expect(data.activity).toEqual([]);
});

test("exports neither secrets nor secret hashes", async () => {
  const { owner, token, clientId } = await anAppWith("approvals:write");
  const { codes } = await makeRecoveryCodes(owner);
  const { text } = await read(owner);
  const { secretHash } = await db.app.findUniqueOrThrow({ where: { id: clientId } });
  const { passwordHash } = await db.owner.findUniqueOrThrow({ where: { id: owner.ownerId } });
  const hashes = [hashSecret(token), secretHash].flatMap((hash) =>
    (["hex", "base64", "base64url"] as const).map((encoding) => Buffer.from(hash ?? "").toString(encoding)),
  );
  for (const secret of [token, ...codes, passwordHash, ...hashes]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(text).not.toContain(secret);
  }
});

test("exports each row exactly once", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  const { id } = await submitApproval(
    { ...app, needs: "approvals:write" },
    { question: "Ship it?", options: [{ id: "yes", label: "Yes" }] },
  );
  await pool().query(
    `INSERT INTO approval (id, owner_id, app_id, question, options)
      SELECT $1 || lpad(n::text, 5, '0'), owner_id, app_id, question, options FROM approval, generate_series(1, 1203) AS n
      WHERE id = $1`,
    [id],
  );
  await pool().query(
    `INSERT INTO approval_triage (approval_id, owner_id, seen_at) SELECT id, owner_id, now() FROM approval
      WHERE owner_id = $1 AND id <> $2`,
    [owner.ownerId, id],
  );
  const before = await db.event.count({ where: { ownerId: owner.ownerId } });
  await pool().query(
    `INSERT INTO event (owner_id, type, subject) SELECT $1, 'owner.signed_in', $1 FROM generate_series(1, 1203)`,
    [owner.ownerId],
  );
  await pool().query(
    `INSERT INTO notification (id, owner_id, app_id, title)
      SELECT 'ntf_' || $1 || lpad(n::text, 5, '0'), $1, 'countersign', n::text FROM generate_series(1, 1203) AS n`,
    [owner.ownerId],
  );
  const { data, longest: maxLength } = await read(owner);
  // The longest piece is a page of 500 lines, preceded by the end of the previous line.
  expect(maxLength).toBe(501);
  const lengths = { activity: 1203 + before, notifications: 1203, approvalsTriage: 1203, approvalsWaiting: 1204 };
  for (const [name, length] of Object.entries(lengths)) {
    expect(data[name]).toHaveLength(length);
    expect(new Set(data[name]?.map(({ id, approvalId }) => approvalId ?? id)).size).toBe(length);
  }
  expect(data.approvalsTriage?.[1202]).toMatchObject({ approvalId: `${id}01203` });
  expect(data.notifications?.[1202]).toMatchObject({ title: "1203" });
});
