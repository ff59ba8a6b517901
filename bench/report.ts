import type { Memory } from "./benchmark-servers";
import type { Measured, Sample } from "./rounds";
import { ahead, growth, median } from "./statistics";

const count = (value: number) => value.toLocaleString("en");
const titled = ({ connections, tokens, size }: Measured) =>
  `${count(connections)} connection${connections > 1 ? "s" : ""}, ${tokens} token${tokens > 1 ? "s" : ""}, ${count(size)} approvals`;
const serversOf = ([first]: Measured[]) => [...(first?.samples.keys() ?? [])];

/** One line of ratios for each case: requests per second, and CPU time per request in brackets. */
export function summary(measured: Measured[], memory: Memory): string {
  const [ours = "", ...others] = serversOf(measured);
  const lines = others.flatMap((other) =>
    [...new Set(measured.map(titled))].map((title) => {
      const figures = measured
        .filter((one) => titled(one) === title)
        .map((one) => {
          const { perSecond, cost } = ahead(one, ours, other);
          return `${one.operation} ${perSecond.toFixed(2)} (${cost.toFixed(2)})`;
        });
      return `${ours} ÷ ${other}, requests/s (CPU): ${figures.join(", ")}; ${title}; ${mebibytes(memory)}`;
    }),
  );
  return `${lines.join("\n")}\n`;
}

/** The complete report as Markdown. */
export function report(measured: Measured[], memory: Memory): string {
  const [ours = "", ...others] = serversOf(measured);
  return [
    ...all(measured),
    ...others.flatMap((other) => compared(measured, ours, other)),
    ...grown(measured),
    `Resident memory of the service: ${mebibytes(memory)}.`,
    "",
  ].join("\n");
}

function all(measured: Measured[]): string[] {
  const rows = measured.flatMap((one) =>
    [...one.samples].map(([server, samples]) => {
      const middle = (of: (sample: Sample) => number, digits = 0) => median(samples.map(of)).toFixed(digits);
      const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
      return [
        ...[one.operation, one.connections, one.tokens, count(one.size), server],
        ...[middle((it) => it.perSecond), middle((it) => it.p50, 1), middle((it) => it.p99, 1)],
        ...[middle((it) => it.node), middle((it) => it.postgres), middle((it) => it.delay, 1), errors],
      ];
    }),
  );
  const heads = ["operation", "connections", "tokens", "approvals", "server", "requests/s", "p50 ms", "p99 ms"];
  return table([...heads, "Node µs", "Postgres µs", "loop delay p99 ms", "errors"], rows);
}

/** One row for each operation, one column for each case. */
function compared(measured: Measured[], ours: string, other: string): string[] {
  const titles = [...new Set(measured.map(titled))];
  const rows = [...new Set(measured.map((one) => one.operation))].map((operation) => [
    operation,
    ...titles.map((title) => {
      const one = measured.find((it) => it.operation === operation && titled(it) === title);
      const { perSecond, cost, p99 } = ahead(one as Measured, ours, other);
      return `${perSecond.toFixed(2)} (CPU ${cost.toFixed(2)}, p99 ${p99.toFixed(2)})`;
    }),
  ]);
  return [`${ours} ÷ ${other}, above 1 is better:`, "", ...table(["requests/s", ...titles], rows)];
}

/** The ratio of the largest size to the smallest, for cases with equal settings. */
function grown(measured: Measured[]): string[] {
  const servers = serversOf(measured);
  const pairs = measured.flatMap((large) => {
    const alike = measured.filter(
      (it) => it.operation === large.operation && it.connections === large.connections && it.tokens === large.tokens,
    );
    const small = alike.reduce((least, it) => (it.size < least.size ? it : least), large);
    return small.size < large.size ? [[small, large] as const] : [];
  });
  if (pairs.length === 0) return [];
  const rows = pairs.map(([small, large]) => [
    `${large.operation}, ${count(small.size)} → ${count(large.size)}`,
    ...servers.map((server) => {
      const { perSecond, cost } = growth(small, large, server);
      return `${perSecond.toFixed(2)} (CPU ${cost.toFixed(2)})`;
    }),
  ]);
  return ["Growth, 1 is flat:", "", ...table(["requests/s", ...servers], rows)];
}

const table = (heads: string[], rows: (string | number)[][]) => [
  `| ${heads.join(" | ")} |`,
  `|${heads.map(() => "---").join("|")}|`,
  ...rows.map((row) => `| ${row.join(" | ")} |`),
  "",
];

const mebibytes = (memory: Memory) =>
  memory.map(({ site, rest, now }) => `${Math.round(rest)} MiB at rest, ${Math.round(now)} after (${site})`).join("; ");
