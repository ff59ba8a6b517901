const made = ((globalThis as typeof globalThis & { countersign?: Map<string, unknown> }).countersign ??= new Map());

/**
 * Creates a getter for a value that exists once per process. The value is stored on globalThis,
 * because server.ts and Next's bundle each load their own copy of every module, and development
 * reloads modules.
 * @param name unique in the program
 * @param make creates the value on first use
 */
export const processSingleton =
  <T>(name: string, make: () => T): (() => T) =>
  () => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
