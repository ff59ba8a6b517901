import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Result } from "./load";
import type { Stage } from "./stage";

const run = promisify(execFile);

/** What the service's own statements cost without any server in front, where `pgbench` is installed; undefined elsewhere. */
export async function pgbench(
  stage: Stage,
  operation: string,
  clients: number,
  seconds: number,
): Promise<Result | undefined> {
  const [script, prepare] = await scripts(stage, operation);
  await prepare?.();
  const file = join(tmpdir(), `countersign-bench-${process.pid}.sql`);
  writeFileSync(file, script);
  const options = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(clients),
    "-j",
    "2",
    "-T",
    String(seconds),
    "-f",
    file,
    stage.url,
  ];
  const done = await run("pgbench", options, { maxBuffer: 1e8 }).catch(
    (error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code === "ENOENT") return undefined;
      throw new Error(`pgbench: ${error.stderr}`);
    },
  );
  if (!done) return undefined;
  const perSecond = Number(/tps = ([\d.]+)/.exec(done.stdout)?.[1]);
  const p50 = Number(/latency average = ([\d.]+)/.exec(done.stdout)?.[1]);
  return { perSecond, p50, p95: Number.NaN, p99: Number.NaN, errors: 0, requests: Math.round(perSecond * seconds) };
}

/** The service's statements with their values written in, and what must be there before they run. */
async function scripts(stage: Stage, operation: string): Promise<[string, (() => Promise<unknown>)?]> {
  const { rows } = await stage.sql.query<{ hash: string }>("SELECT '\\x' || encode(hash, 'hex') AS hash FROM token");
  const hash = `'${rows[0]?.hash}'::bytea`;
  // pgbench takes a colon before a letter or digit for a variable.
  const reach = (name: string, scope = `'approvals' || ':' || '${name}'`) => `WITH who AS (
    SELECT g.id AS grant_id, g.owner_id, g.app_id,
      ${scope} = ANY (t.scopes) AND EXISTS (SELECT FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = ${scope}) AS allowed
    FROM token t JOIN app_grant g ON g.id = t.grant_id JOIN app ON app.id = g.app_id
    WHERE t.hash = ${hash} AND t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL
      AND (g.expires_at IS NULL OR g.expires_at > now()) AND app.deleted_at IS NULL), caller AS (SELECT * FROM who WHERE allowed)`;
  const wire = `'{"_id":"' || a.id || '","question":' || to_json(a.question) || ',"options":' || a.options || coalesce(',"resolution":' || a.resolution, '') || '}'`;
  switch (operation) {
    case "submit":
      return [
        `${reach("write")}, made AS (INSERT INTO approval (id, owner_id, app_id, question, options)
          SELECT 'apr_' || md5(random()::text), owner_id, app_id, 'Ship build 418 to production?', '[{"id":"ship","label":"Ship now"}]'::json
          FROM caller RETURNING owner_id, app_id, id),
          told AS (INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'approval.submitted', id FROM made)
          SELECT count(*) FROM made;`.replace(/\s+/g, " "),
      ];
    case "get":
      return [
        `\\set n random(1, 1000)\n${reach("read")} SELECT ${wire} FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id
          WHERE a.id = 'apr_' || substr(lpad(to_hex(:n::int), 8, '0') || md5(:n::text), 1, 32);`.replace(
          /[ \t]*\n\s+/g,
          " ",
        ),
      ];
    case "list(50)":
      return [
        `${reach("read")} SELECT string_agg(${wire}, ',') FROM caller c CROSS JOIN LATERAL (SELECT a.* FROM approval a
          WHERE a.owner_id = c.owner_id AND a.app_id = c.app_id ORDER BY a.created_at DESC, a.id DESC LIMIT 51) AS a;`.replace(
          /\s+/g,
          " ",
        ),
      ];
    default:
      return [
        `${reach("resolve")}, won AS (UPDATE approval a SET status = 'resolved', resolved_at = now(),
          resolution = '{"kind":"option","optionId":"ship","resolvedBy":"api","resolvedAt": 1}' FROM caller c
          WHERE a.id = (SELECT id FROM bench_queue WHERE n = (SELECT nextval('bench_next'))) AND a.status = 'pending' RETURNING a.owner_id, a.app_id, a.id),
          told AS (INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'approval.resolved', id FROM won)
          SELECT count(*) FROM won;`.replace(/\s+/g, " "),
        async () => {
          const ids = await stage.pending(50_000);
          await stage.sql.query(
            "DROP TABLE IF EXISTS bench_queue; DROP SEQUENCE IF EXISTS bench_next; CREATE SEQUENCE bench_next",
          );
          await stage.sql.query("CREATE TABLE bench_queue (n bigint PRIMARY KEY, id text)");
          await stage.sql.query(
            "INSERT INTO bench_queue SELECT n, id FROM unnest($1::text[]) WITH ORDINALITY AS q (id, n)",
            [ids],
          );
          await stage.sql.query("ANALYZE bench_queue");
        },
      ];
  }
}
