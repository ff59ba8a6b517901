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
    const began = performance.now();
    const { write, isTTY } = out;
    const draw = (/** @type {string} */ text) => write.call(out, text);
    let phase = "";
    // Whether the cursor is after the step's own line, and whether it is at the start of an empty
    // line.
    let [onOwn, onEmpty] = [true, false];
    draw(`${label} … `);
    // Other output during the step gets its own lines; on a terminal, above the step's line.
    out.write = /** @type {typeof write} */ (
      (/** @type {[string]} */ ...words) => {
        if (onOwn) draw(isTTY ? "\r\x1b[K" : "\n");
        [onOwn, onEmpty] = [false, String(words[0]).endsWith("\n")];
        return write.apply(out, words);
      }
    );
    const alive = () => `${phase && `${phase}, `}${Math.round((performance.now() - began) / 1000)} s`;
    const showLife = () => {
      if (!isTTY) return void out.write(`  ${alive()}\n`);
      if (!onOwn && !onEmpty) return;
      // A wrapped line could not be redrawn. Some terminals report a width of 0.
      draw(`\r${`${label} … ${alive()}`.slice(0, (out.columns || 80) - 1)}\x1b[K`);
      onOwn = true;
    };
    const timer = setInterval(showLife, isTTY ? redrawEvery : lineEvery);
    try {
      return await work(
        (line) => say(`  ${line}`),
        (name) => (phase = name),
      );
    } finally {
      clearInterval(timer);
      out.write = write;
      const again = isTTY && onOwn ? "\r" : onOwn || onEmpty ? "" : "\n";
      out.write(`${again}${onOwn && !isTTY ? "" : `${label} … `}${seconds(began)} s${isTTY ? "\x1b[K" : ""}\n`);
    }
  };
  return { say, step };
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
