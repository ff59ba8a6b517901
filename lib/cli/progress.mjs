// Progress for people: a line a step, with the time it took. Plain JavaScript, since it runs before anything is installed.

/** @param {NodeJS.WriteStream} out where the lines go: commands keep stdout for their result */
export function progress(out = process.stdout) {
  /** @param {string} line */
  const say = (line) => void out.write(`${line}\n`);

  /**
   * Do a piece of work and say so.
   * @template T
   * @param {string} label
   * @param {(tell: (line: string) => void) => Promise<T>} work
   * @returns {Promise<T>}
   */
  const step = async (label, work) => {
    const began = performance.now();
    const { write } = out;
    let alone = true;
    out.write(`${label} … `);
    // Whatever else is written meanwhile stands on lines of its own.
    out.write = /** @type {typeof write} */ (
      (/** @type {[string]} */ ...words) => {
        if (alone) write.call(out, "\n");
        alone = false;
        return write.apply(out, words);
      }
    );
    try {
      return await work((line) => say(`  ${line}`));
    } finally {
      out.write = write;
      out.write(`${alone ? "" : `${label} … `}${seconds(began)} s\n`);
    }
  };
  return { say, step };
}

/**
 * For commands: nothing unless a step takes so long that somebody waits for it.
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

/** @param {number} began what performance.now() said then */
export const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);
