const made = ((globalThis as typeof globalThis & { countersign?: Map<string, unknown> }).countersign ??= new Map());

/**
 * Creates a getter for a value that exists only once in the process. The value is stored on
 * globalThis, because server.ts and the Next.js bundle each load their own copy of every module,
 * and modules are reloaded during development.
 * @param name a name that is unique in the program
 * @param make creates the value on first use
 */
export const processSingleton =
  <T>(name: string, make: () => T): (() => T) =>
  () => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
