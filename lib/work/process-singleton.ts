const made = ((globalThis as typeof globalThis & { countersign?: Map<string, unknown> }).countersign ??= new Map());

/**
 * What exists once per process. It is kept on globalThis, because server.ts and Next's bundle each load their own copy of
 * every module, and development loads them anew at each change.
 * @param name no two may have the same
 * @param make called when it is first asked for
 * @returns how to ask for it
 */
export const processSingleton =
  <T>(name: string, make: () => T): (() => T) =>
  () => {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  };

/** Which of the processes that share a port this is, from 1 (lib/serving); undefined where it is the only one. */
export const processNumber: number | undefined = Number(process.env.COUNTERSIGN_PROCESS) || undefined;
