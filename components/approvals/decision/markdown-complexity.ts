/**
 * What of Markdown is still read as such, so that an app's 20,000 characters never take long: reading it takes the square of
 * what may open and close, and of what lies in what. Text that was written to be read comes nowhere near.
 */
const most = {
  lines: 2000,
  /** Lists and quotations that begin on one line, and on all. */
  onOneLine: 20,
  begun: 3000,
  /** Cells of tables: every row is made as wide as the widest. */
  cells: 10_000,
  /** What the marks of each block make in pairs. */
  pairs: 1_000_000,
};

/** What begins a list or a quotation. The next may lie in it, on the same line. */
const begins = /[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))/y;
/** Nothing or an item: neither a table nor what is open in a paragraph goes on after it. */
const ends = /^(?:[ \t]*$| {0,3}[*+-][ \t]+\S)/;
/** What may open or close emphasis, a link, a picture, code or a comment. */
const marks = /\*\*?|~~?|__?|[[\]]|`+|<[!?]/g;
/** As in snake_case: these open and close nothing. */
const within = /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu;

/** Whether a text is too intricate to be read as Markdown. Its own time grows as the text does. */
export function isTooComplex(text: string): boolean {
  const lines = text.split(/\r\n|[\n\r]/);
  if (lines.length > most.lines) return true;
  const all = { begun: 0, cells: 0, pairs: 0 };
  const none = { lines: 0, widest: 0, marks: 0 };
  let block = none;
  const add = () => {
    all.cells += block.lines * block.widest;
    all.pairs += block.marks ** 2;
    block = none;
  };
  for (const line of lines) {
    if (ends.test(line)) add();
    const begun = beginsOf(line);
    if (begun > most.onOneLine) return true;
    all.begun += begun;
    block = {
      lines: block.lines + 1,
      widest: Math.max(block.widest, line.split("|").length - 1),
      marks: block.marks + (line.replace(within, "").match(marks)?.length ?? 0),
    };
  }
  add();
  return all.begun > most.begun || all.cells > most.cells || all.pairs > most.pairs;
}

function beginsOf(line: string): number {
  let count = 0;
  begins.lastIndex = 0;
  while (begins.test(line)) count++;
  return count;
}
