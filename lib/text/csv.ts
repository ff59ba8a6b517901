/**
 * Returns one record as CSV (RFC 4180). Apps choose the text, so an apostrophe is put before text
 * that a spreadsheet would run as a formula, also after a semicolon, tab or line break, where some
 * spreadsheets split cells. Lists ("- this") after a line break stay as they are.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

const begins = /^(?=\s*[=+\-@\t\r\n|＝＋－＠])/;
const follows =
  /[;\t](?=(?:[^\S\t]|")*[=+\-@|＝＋－＠])|(?:\r\n|[\r\n])(?=(?:[^\S\r\n]|")*(?:[=+@|＝＋－＠]|-(?![\s-])))/g;

function cell(text: string): string {
  const safe = text.replace(follows, "$&'").replace(begins, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
