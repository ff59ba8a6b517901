import { parseArgs } from "node:util";
import { openStage } from "./benchmark-servers";
import { table } from "./pages/table";

/**
 * `npm run bench:idle [-- --minutes 60]`: measures an idle service with a million events. It prints
 * the CPU seconds and the executed statements.
 */
const { values } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, approvals: { type: "string", default: "500000" } },
});
const minutes = Number(values.minutes);

const stage = await openStage(undefined, ["shared_preload_libraries=pg_stat_statements"]);
try {
  const { sql, servers, postgres } = await stage.site(Number(values.approvals), 1);
  const [ours] = servers;
  if (!ours) throw new Error("nothing was started");
  const { rows: counted } = await sql.query<{ events: string }>("SELECT count(*) AS events FROM event");
  await sql.query("CREATE EXTENSION pg_stat_statements");
  // Startup work is not part of an idle hour.
  await minutesPass(1);
  await sql.query("SELECT pg_stat_statements_reset()");
  const [node, database] = [ours.cpu(), postgres()];
  await minutesPass(minutes);
  const spent = [ours.cpu() - node, postgres() - database].map((seconds) => seconds.toFixed(1));
  const { rows } = await sql.query<{ calls: string; ms: number; rows: string; query: string }>(
    `SELECT calls, total_exec_time AS ms, rows, regexp_replace(query, '\\s+', ' ', 'g') AS query FROM pg_stat_statements
     WHERE query NOT ILIKE '%pg_stat_statements%' ORDER BY calls DESC LIMIT 40`,
  );
  console.log(
    `${minutes} idle minutes with ${counted[0]?.events} events: ${spent[0]} s of processor time in Node, ${spent[1]} s in PostgreSQL.`,
  );
  table(
    "Statements",
    ["calls", "ms in all", "rows", "statement"],
    rows.map(({ calls, ms, rows, query }) => [calls, ms.toFixed(1), rows, query.slice(0, 100)]),
  );
} finally {
  await stage.close();
}

async function minutesPass(count: number): Promise<void> {
  await new Promise((over) => setTimeout(over, count * 60_000));
}
