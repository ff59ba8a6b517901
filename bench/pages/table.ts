/** Prints a table of figures with its heading. */
export function table(heading: string, columns: string[], rows: (string | number)[][]): void {
  const text = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, at) => Math.max(...text.map((row) => row[at]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, at) => (at ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)));
  console.log(`\n${heading}\n${text.map((row) => line(row).join("  ")).join("\n")}\n`);
}

/** A percentile: the value that this share of the values does not exceed. @param share 0 to 1 */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Formats a value, in milliseconds by default, to one decimal. */
export const rounded = (value: number) => Math.round(value * 10) / 10;
