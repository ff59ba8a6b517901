/**
 * Limits on the Markdown that is parsed. An app's 20,000 characters must never take long to parse,
 * and parsing is quadratic in delimiters and in nesting. Ordinary text stays far below these
 * limits.
 */
const max = {
  lines: 2000,
  /** The maximum number of lists and quotations that begin on one line, and in total. */
  onOneLine: 20,
  begun: 3000,
  /** The maximum number of table cells. Each row counts as many cells as the table's widest row. */
  cells: 10_000,
  /** The maximum number of possible delimiter pairs in a block. */
  pairs: 1_000_000,
};

/**
 * The start of a list or quotation. Several can begin on one line, each nested in the previous one.
 */
const begins = /[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))/y;
/** An empty line or a list item ends a table or an open delimiter. */
const ends = /^(?:[ \t]*$| {0,3}[*+-][ \t]+\S)/;
/** Matches possible delimiters of emphasis, links, pictures, code or comments. */
const marks = /\*\*?|~~?|__?|[[\]]|`+|<[!?]/g;
/** Underscores within words, as in snake_case, delimit nothing. */
const within = /(?<=[\p{L}\p{N}])_+(?=[\p{L}\p{N}])/gu;

/** Whether a text is too complex to parse as Markdown. Takes linear time. */
export function isTooComplex(text: string): boolean {
  const lines = text.split(/\r\n|[\n\r]/);
  if (lines.length > max.lines) return true;
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
    if (begun > max.onOneLine) return true;
    all.begun += begun;
    block = {
      lines: block.lines + 1,
      widest: Math.max(block.widest, line.split("|").length - 1),
      marks: block.marks + (line.replace(within, "").match(marks)?.length ?? 0),
    };
  }
  add();
  return all.begun > max.begun || all.cells > max.cells || all.pairs > max.pairs;
}

function beginsOf(line: string): number {
  let count = 0;
  begins.lastIndex = 0;
  while (begins.test(line)) count++;
  return count;
}
