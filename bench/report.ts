import type { Row } from "./rounds";

/** The figures as Markdown, each server beside us and the large table beside the small one. */
export function report(rows: Row[], memory: { rest: number; now: number }): void {
  const of = (size: number, operation: string, who: string) =>
    rows.find((row) => row.size === size && row.operation === operation && row.who === who)?.perSecond ?? Number.NaN;
  const lines = [
    "| approvals | operation | server | requests/s | p50 ms | p99 ms | errors | Countersign ÷ this |",
    "|---:|---|---|---:|---:|---:|---:|---:|",
  ];
  for (const { size, operation, who, perSecond, p50, p99, errors } of rows) {
    const ratio = of(size, operation, "Countersign") / perSecond;
    lines.push(
      `| ${size} | ${operation} | ${who} | ${Math.round(perSecond)} | ${p50.toFixed(2)} | ${Number.isNaN(p99) ? "" : p99.toFixed(2)} | ${errors} | ${ratio.toFixed(2)} |`,
    );
  }
  const sizes = [...new Set(rows.map((row) => row.size))];
  const [small, large] = [sizes[0] ?? 0, sizes.at(-1) ?? 0];
  if (small !== large) {
    lines.push("", `| operation | Countersign at ${small} ÷ at ${large} |`, "|---|---:|");
    for (const operation of new Set(rows.map((row) => row.operation)))
      lines.push(
        `| ${operation} | ${(of(small, operation, "Countersign") / of(large, operation, "Countersign")).toFixed(2)} |`,
      );
  }
  lines.push(
    "",
    `Resident memory of the service: ${Math.round(memory.rest)} MiB at rest, ${Math.round(memory.now)} MiB after.`,
  );
  process.stdout.write(`${lines.join("\n")}\n`);
}
