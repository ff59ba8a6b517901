// Progress for people: one line per step, with the time it took. Plain JavaScript, because it runs
// before anything is installed.

/**
 * How often a running step shows progress, in milliseconds: in place on a terminal, as a new line
 * in a log.
 */
const redrawEvery = 1000;
const lineEvery = 30_000;

/**
 * @template T
 * @typedef {(tell: (line: string) => void, phase: (name: string) => void) => Promise<T>} Work
 * `tell` prints a line below the step. `phase` names the part of the step that is running.
 */

/** @param {NodeJS.WriteStream} out receives the lines; commands reserve stdout for their result */
export function progress(out = process.stdout) {
  /** @param {string} line */
  const say = (line) => void out.write(`${line}\n`);

  /**
   * Runs work, and prints its name and duration. While it runs, the elapsed time and its phase are
   * shown.
   * @template T
   * @param {string} label
   * @param {Work<T>} work
   * @returns {Promise<T>}
   */
  const step = async (label, work) => {
    const line = new StepLine(out, label);
    try {
      return await work(
        (words) => say(`  ${words}`),
        (name) => (line.phase = name),
      );
    } finally {
      line.end();
    }
  };
  return { say, step };
}

/**
 * The line of a running step. Other output during the step gets its own lines; on a terminal,
 * above this one.
 */
class StepLine {
  began = performance.now();
  phase = "";
  /** Whether the cursor is after this line, or at the start of an empty one. */
  cursor = /** @type {"own" | "empty" | "other"} */ ("own");

  /**
   * @param {NodeJS.WriteStream} out
   * @param {string} label
   */
  constructor(out, label) {
    this.out = out;
    this.label = label;
    this.write = out.write;
    this.draw(`${label} … `);
    out.write = /** @type {typeof out.write} */ (
      (/** @type {[string]} */ ...words) => {
        this.makeWay(String(words[0]));
        return this.write.apply(out, words);
      }
    );
    this.timer = setInterval(() => this.showLife(), out.isTTY ? redrawEvery : lineEvery);
  }

  /** @param {string} text */
  draw(text) {
    this.write.call(this.out, text);
  }

  /** @param {string} words of somebody else */
  makeWay(words) {
    if (this.cursor === "own") this.draw(this.out.isTTY ? "\r\x1b[K" : "\n");
    this.cursor = words.endsWith("\n") ? "empty" : "other";
  }

  showLife() {
    const { out, label, phase } = this;
    const alive = `${phase && `${phase}, `}${Math.round((performance.now() - this.began) / 1000)} s`;
    if (!out.isTTY) return void out.write(`  ${alive}\n`);
    if (this.cursor === "other") return;
    // A wrapped line could not be redrawn. Some terminals report a width of 0.
    this.draw(`\r${`${label} … ${alive}`.slice(0, (out.columns || 80) - 1)}\x1b[K`);
    this.cursor = "own";
  }

  /** Restores the stream, and writes how long the step took. */
  end() {
    clearInterval(this.timer);
    this.out.write = this.write;
    const took = `${seconds(this.began)} s`;
    const line = `${this.label} … ${took}`;
    if (this.out.isTTY) this.draw(`${{ own: "\r", empty: "", other: "\n" }[this.cursor]}${line}\x1b[K\n`);
    else this.draw(`${{ own: took, empty: line, other: `\n${line}` }[this.cursor]}\n`);
  }
}

/**
 * For commands: prints nothing unless a step takes long.
 * @template T
 * @param {string} label
 * @param {(tell: (line: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function quietly(label, work) {
  const timer = setTimeout(() => process.stderr.write(`${label} …\n`), 3000);
  try {
    return await work((line) => void process.stderr.write(`${line}\n`));
  } finally {
    clearTimeout(timer);
  }
}

/** @param {number} began an earlier performance.now() */
export const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);
