import type { AppActor } from "@/lib/actor";

type Call = { id: string | number; signal: AbortSignal };

/** Calls under way on this copy, by token and the client's own number for them. */
const calls = new Map<string, Set<AbortController>>();
const nameOf = ({ tokenHash }: AppActor, id: string | number) => `${tokenHash.toString("base64")} ${typeof id} ${id}`;

/**
 * Do a call until its client hangs up or cancels it. Older clients cancel with a message of its own, which comes as another
 * request: nothing but token and number ties the two together. Two clients with one token may use the same number, so what is
 * cancelled so only ends its waiting and is answered as it stands; who still listens asks on.
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

/** A client has no use for this call any more. On another copy it waits to its end, which is never far. */
export function cancel(app: AppActor, id: string | number | undefined): void {
  if (id === undefined) return;
  for (const end of calls.get(nameOf(app, id)) ?? []) end.abort();
}
