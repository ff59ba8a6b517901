import { parseArgs } from "node:util";
import { table } from "../pages/table";
import { nodeBudgets } from "./node-budget";
import { postgresBudget } from "./postgres-budget";

/**
 * `npm run bench:budget [-- --calls N] [--rounds N] [--seconds N]`: what a lone submit and a lone
 * resolve cost in PostgreSQL and in Node.js, part by part, for docs/contributing/write-budget.md.
 */
const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "2000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "10" },
  },
});
const round = (value: number) => Math.round(value * 10) / 10;

const parts = await postgresBudget(Number(values.calls), Number(values.rounds));
table(
  "PostgreSQL: CPU time in µs and write-ahead log in bytes of one call",
  ["operation", "part", "CPU", "log"],
  parts.map(({ operation, part, cpu, wal }) => [operation, part, round(cpu), Math.round(wal)]),
);
for (const { operation, server, total, parts } of await nodeBudgets(
  ["submit", "resolve", "get"],
  Number(values.seconds) * 1000,
))
  table(
    `Node.js, ${operation}, ${server}: CPU time in µs of one request`,
    ["part", "CPU"],
    [
      ["all", round(total)],
      ...[...parts].sort(([, a], [, b]) => b - a).map(([part, cpu]) => [part, round(cpu)] as [string, number]),
    ],
  );
