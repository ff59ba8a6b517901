const made = ((globalThis as typeof globalThis & { countersign?: Map<string, unknown> }).countersign ??= new Map());

/**
 * Creates a value that exists once per process. It is stored on globalThis, because server.ts and
 * Next's bundle each load their own copy of every module. Development also reloads modules at each
 * change.
 * @param name a name that is unique in the program
 * @param make creates the value on first use
 * @returns a getter
 */
export const processSingleton =
  <T>(name: string, make: () => T): (() => T) =>
  () => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };
