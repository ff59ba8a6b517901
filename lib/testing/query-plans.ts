import { disconnect, pool } from "@/lib/database/db";
import { onOneLine } from "./spied-sql-statements";
import { query } from "./temporary-postgres";

/** One step of an executed plan, as PostgreSQL describes it. */
type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
};

/** An executed statement, with its scans and the number of rows that its steps examined. */
export type Planned = { statement: string; scans: Scan[]; rows: number };
/**
 * A scan of a table, whole or by an index. For the event log, `part` is the partition. `read`
 * counts the examined rows, including discarded ones.
 */
export type Scan = { how: string; table: string; part?: string | undefined; read: number };

/**
 * Records the plan of every statement on the pool with PostgreSQL's auto_explain, including
 * Prisma's statements and those inside functions.
 * @param databaseUrl a superuser's URL of the database
 */
export async function notePlans(databaseUrl: string): Promise<Planned[]> {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_level": "notice",
    "auto_explain.log_format": "json",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_timing": "off",
    "auto_explain.log_nested_statements": "on",
  };
  const database = new URL(databaseUrl).pathname.slice(1);
  for (const [name, value] of Object.entries(settings))
    await query(databaseUrl, `ALTER DATABASE ${database} SET ${name} = '${value}'`);
  const noted: Planned[] = [];
  // Existing connections began without auto_explain.
  await disconnect();
  pool().on("connect", (client) => {
    client.on("notice", ({ message = "" }) => {
      const [, json] = /^duration: .*?plan:\n(.*)$/s.exec(message) ?? [];
      if (!json) return;
      const { "Query Text": text, Plan: plan } = JSON.parse(json) as { "Query Text": string; Plan: Node };
      noted.push({ statement: onOneLine(text), scans: scansOf(plan), rows: rowsOf(plan) });
    });
  });
  return noted;
}

const rowsOf = ({ "Actual Rows": rows = 0, "Actual Loops": loops = 0, Plans = [] }: Node): number =>
  Plans.reduce((sum, node) => sum + rowsOf(node), rows * loops);

function scansOf(node: Node): Scan[] {
  const { "Node Type": how, "Relation Name": relation, "Actual Loops": loops = 0 } = node;
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const read = Math.round(((node["Actual Rows"] ?? 0) + removed) * loops);
  const part = relation && /^event_(first|\d{4}_\d\d_\d+)$/.test(relation) ? relation : undefined;
  const table = part ? "event" : relation;
  // Skips scans that PostgreSQL planned but did not run.
  const own = table && loops > 0 && how.endsWith("Scan") ? [{ how, table, part, read }] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}
