import { join } from "node:path";

const root = `${join(import.meta.dirname, "../..")}/`;

/**
 * Returns the file of this repository that makes a statement: the first one on the stack that does
 * not only send statements of others.
 * @param senders matches the paths of files that only send
 */
export const statementMaker = (stack: string, senders: RegExp): string | undefined =>
  stack
    .split("\n")
    .map((line) => /\(?(?:file:\/\/)?(\/[^()]+?):\d+:\d+\)?$/.exec(line)?.[1] ?? "")
    .filter((path) => path.startsWith(root))
    .map((path) => path.slice(root.length))
    .find((file) => !senders.test(file));

/** Whether a file belongs to the tests. */
export const isTestFile = (file: string): boolean => /^(e2e|bench|prisma|lib\/testing)\/|\.test\.tsx?$/.test(file);
