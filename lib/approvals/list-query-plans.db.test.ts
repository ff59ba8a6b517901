import { expect, test } from "vitest";
import { pool } from "@/lib/database/db";
import { anAppWith } from "@/lib/testing/factories";
import { notePlans } from "@/lib/testing/query-plans";
import { listApprovals } from "./approvals";
import type { Approval } from "./schema";

const plans = await notePlans(process.env.DATABASE_URL ?? "");

/**
 * Creates 3,000 approvals for each of two apps: answered, expired and pending ones in turn. Returns
 * the first app.
 */
async function aLongHistory() {
  const [mine, other] = [await anAppWith("approvals:read"), await anAppWith("approvals:read")];
  for (const { owner, clientId } of [mine, other])
    await pool().query(
      `INSERT INTO approval (id, owner_id, app_id, question, options, created_at, status, resolution, resolved_at, expires_at, deadline_passed_at, content_hash)
        SELECT 'apr_' || translate(md5($1 || n), 'wxyz', 'abcd'), $1, $2, n::text, '[]', now() - n * interval '1 second',
          CASE WHEN n % 3 = 0 THEN 'resolved' ELSE 'pending' END,
          CASE WHEN n % 3 = 0 THEN '{"kind":"other","otherText":"!","resolvedBy":"owner"}'::json END, CASE WHEN n % 3 = 0 THEN now() END,
          CASE WHEN n % 3 = 1 THEN now() - interval '1 minute' END, CASE WHEN n % 3 = 1 THEN now() END, 'sha256:'
        FROM generate_series(1, 3000) AS n`,
      [owner.ownerId, clientId],
    );
  await pool().query("VACUUM ANALYZE approval");
  return mine.app;
}

test.each([
  ["pending", "pending"],
  ["resolved", "resolved"],
  ["all", undefined],
] as const)("uses an index to list %s approvals", async (_, status) => {
  const app = await aLongHistory();
  const wanted = Array.from({ length: 3000 }, (_, at) => at + 1).filter((n) =>
    status === undefined ? true : (n % 3 === 0) === (status === "resolved"),
  );
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    plans.length = 0;
    const page = await listApprovals(app, { limit: 200, ...(status && { status }), ...(cursor && { cursor }) });
    const { data } = JSON.parse(page.text) as { data: Approval[] };
    seen.push(...data.map(({ question }) => question));
    cursor = page.nextCursor;
    const { scans } = plans.find(({ statement }) => statement.includes("AS items"))!;
    const ofThem = scans.filter(({ table }) => table === "approval");
    expect(ofThem.map(({ how }) => how)).not.toContain("Seq Scan");
    expect(ofThem.reduce((sum, { read }) => sum + read, 0)).toBeLessThanOrEqual(2 * 201);
  } while (cursor);
  expect(seen).toEqual(wanted.map(String));
});

test("reads only one more row than the requested page of approvals", async () => {
  const apps: Awaited<ReturnType<typeof anAppWith>>[] = [];
  // Creates a few at a time, so that none times out waiting for a connection on a busy machine.
  while (apps.length < 40)
    apps.push(...(await Promise.all(Array.from({ length: 5 }, () => anAppWith("approvals:read")))));
  await pool().query("TRUNCATE approval CASCADE");
  await pool().query(
    `INSERT INTO approval (id, owner_id, app_id, question, options, created_at)
      SELECT 'apr_' || translate(md5(g.id || n), 'wxyz', 'abcd'), g.owner_id, g.app_id, n::text, '[]', now() - n * interval '1 second'
      FROM app_grant g, generate_series(1, 200) AS n WHERE g.owner_id = ANY ($1)`,
    [apps.map(({ owner }) => owner.ownerId)],
  );
  await pool().query("VACUUM ANALYZE approval");
  plans.length = 0;
  await listApprovals(apps[7]!.app, { limit: 20 });
  const { scans } = plans.find(({ statement }) => statement.includes("AS items"))!;
  expect(scans.filter(({ table }) => table === "approval").reduce((sum, { read }) => sum + read, 0)).toBe(21);
});
