/**
 * Writes one record of RFC 4180. Apps choose the text, so an apostrophe precedes cells that a
 * spreadsheet would run as a formula. Spreadsheets that split at semicolons or tabs, as in many
 * countries, ignore our quotes. There, text after one of these or after a line break starts a new
 * cell. Lists ("- this") are unchanged.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

const begins = /^(?=\s*[=+\-@\t\r\n|＝＋－＠])/;
const follows =
  /[;\t](?=(?:[^\S\t]|")*[=+\-@|＝＋－＠])|(?:\r\n|[\r\n])(?=(?:[^\S\r\n]|")*(?:[=+@|＝＋－＠]|-(?![\s-])))/g;

function cell(text: string): string {
  const safe = text.replace(follows, "$&'").replace(begins, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
