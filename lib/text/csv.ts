/**
 * One record of RFC 4180. What a spreadsheet would take for a formula has an apostrophe before it: apps choose words. One that
 * splits at semicolons or tabs, as many countries' do, knows nothing of our quotes: there what follows one of these, or a line
 * break, begins a cell of its own. Lists ("- this") stay as they are.
 */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(",")}\r\n`;

const begins = /^(?=\s*[=+\-@\t\r\n|＝＋－＠])/;
const follows =
  /[;\t](?=(?:[^\S\t]|")*[=+\-@|＝＋－＠])|(?:\r\n|[\r\n])(?=(?:[^\S\r\n]|")*(?:[=+@|＝＋－＠]|-(?![\s-])))/g;

function cell(text: string): string {
  const safe = text.replace(follows, "$&'").replace(begins, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
