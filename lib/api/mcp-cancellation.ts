import type { AppActor } from "@/lib/actor";

type Call = { id: string | number; signal: AbortSignal };

/** Calls in progress on this instance, by token and the client's request ID. */
const calls = new Map<string, Set<AbortController>>();
const nameOf = ({ tokenHash }: AppActor, id: string | number) => `${tokenHash.toString("base64")} ${typeof id} ${id}`;

/**
 * Runs a call, and ends its wait when the client disconnects or cancels it. Older clients cancel
 * with a separate request that names only the token and request ID, which two clients may share. A
 * canceled call therefore still returns its current state, so that a client that did not cancel can
 * wait again.
 */
export async function runCancellable<T>(
  app: AppActor,
  call: Call,
  work: (left: AbortSignal) => Promise<T>,
): Promise<T> {
  const name = nameOf(app, call.id);
  const end = new AbortController();
  const same = calls.get(name) ?? new Set();
  calls.set(name, same.add(end));
  try {
    return await work(AbortSignal.any([call.signal, end.signal]));
  } finally {
    same.delete(end);
    if (same.size === 0) calls.delete(name);
  }
}

/**
 * Stops a call that the client no longer needs. A call on another instance is not stopped, but its
 * wait ends soon.
 */
export function cancel(app: AppActor, id: string | number | undefined): void {
  if (id === undefined) return;
  for (const end of calls.get(nameOf(app, id)) ?? []) end.abort();
}
