// Shows progress to people: one line per step, with its duration. This module is plain JavaScript,
// because it runs before anything is installed.

/** The interval at which a running step prints its phase and elapsed time, in milliseconds. */
const lineEvery = 10_000;

/**
 * @template T
 * @typedef {(tell: (line: string) => void, phase: (name: string) => void) => Promise<T>} Work
 * `tell` prints a line below the step. `phase` names the part of the step that is running.
 */

/**
 * Creates the progress display.
 * @param {{ write(text: string): unknown }} out receives the lines; commands reserve stdout for
 * their result
 */
export function progress(out = process.stdout) {
  /** @param {string} line */
  const say = (line) => void out.write(`${line}\n`);

  /**
   * Runs work, and prints its name and duration. Prints the step's other lines in between.
   * @template T
   * @param {string} label
   * @param {Work<T>} work
   * @returns {Promise<T>}
   */
  const step = async (label, work) => {
    const began = performance.now();
    let phase = "";
    let isAlone = true;
    /** @param {string} line */
    const tell = (line) => {
      say(`${isAlone ? "\n" : ""}  ${line}`);
      isAlone = false;
    };
    const showLife = () => tell(`${phase && `${phase}, `}${Math.round((performance.now() - began) / 1000)} s`);
    const timer = setInterval(showLife, lineEvery);
    out.write(`${label} … `);
    try {
      return await work(tell, (name) => (phase = name));
    } finally {
      clearInterval(timer);
      say(`${isAlone ? "" : `${label} … `}${seconds(began)} s`);
    }
  };
  return { say, step };
}

/**
 * Runs a command's step. Prints the label only if the step takes longer than three seconds.
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

/**
 * Returns the seconds since a time, as text with one decimal place.
 * @param {number} began an earlier performance.now()
 */
export const seconds = (began) => ((performance.now() - began) / 1000).toFixed(1);
