import { parseArgs } from "node:util";
import { table } from "../pages/table";
import { nodeBudgets } from "./node-budget";
import { postgresBudget } from "./postgres-budget";

/**
 * `npm run bench:budget`: what each part of a lone submit and a lone resolve costs in PostgreSQL.
 * With `-- --node`, what their parts cost in Node.js, in the service and in the lean server.
 * `--calls N` and `--rounds N` select the number of measured calls, and `--seconds N` the duration
 * of each CPU profile. Run it on a quiet machine.
 */
const { values } = parseArgs({
  options: {
    node: { type: "boolean", default: false },
    calls: { type: "string", default: "2000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "10" },
  },
});
const rounded = (value: number) => Math.round(value * 10) / 10;

if (values.node) {
  const budgets = await nodeBudgets(["submit", "resolve", "get"], Number(values.seconds) * 1000);
  for (const { operation, server, total, parts } of budgets) {
    const rows = [...parts].sort(([, a], [, b]) => b - a).map(([part, cpu]) => [part, rounded(cpu)]);
    const title = `Node.js, ${operation}, ${server}: CPU time in µs of one request`;
    table(title, ["part", "CPU"], [["all", rounded(total)], ...rows] as [string, number][]);
  }
} else {
  const parts = await postgresBudget(Number(values.calls), Number(values.rounds));
  table(
    "PostgreSQL: CPU time in µs and write-ahead log in bytes of one call",
    ["operation", "part", "CPU", "log"],
    parts.map(({ operation, part, cpu, wal }) => [operation, part, rounded(cpu), Math.round(wal)]),
  );
}
