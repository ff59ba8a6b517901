/** One record of RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe: apps choose words. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

function cell(text: string): string {
  const safe = /^\s*[=+\-@\t\r\n|＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
