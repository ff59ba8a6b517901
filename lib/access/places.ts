import { tooMany } from "@/lib/errors";

/** Requests that wait, and streams of events. */
export type PlaceKind = "wait" | "stream";

/** Most at once on one copy of the service: for each grant, and together. */
const most: Record<PlaceKind, number> = { wait: 100, stream: 10 };
const mostOfAll = 20_000;
const refusals: Record<PlaceKind, string> = {
  wait: `Too many requests are waiting: at most ${most.wait} at a time. Read events instead`,
  stream: `Too many event streams are open: at most ${most.stream} at a time`,
};

type Places = { taken: Map<string, number>; all: number };

// On globalThis because server.ts and Next's bundle each load their own copy of this module; the process counts once.
const shared = globalThis as typeof globalThis & { countersignPlaces?: Places };

/**
 * Take one of a grant's places.
 * @returns how to give it back; a second time does nothing
 * @throws {AppError} 429 when all are taken
 */
export function takePlace(kind: PlaceKind, grantId: string): () => void {
  const places = (shared.countersignPlaces ??= { taken: new Map(), all: 0 });
  const key = `${kind} ${grantId}`;
  const taken = places.taken.get(key) ?? 0;
  if (taken >= most[kind] || places.all >= mostOfAll) throw tooMany(refusals[kind], 5);
  places.taken.set(key, taken + 1);
  places.all++;
  let left = false;
  return () => {
    if (left) return;
    left = true;
    places.all--;
    const now = (places.taken.get(key) ?? 1) - 1;
    if (now > 0) places.taken.set(key, now);
    else places.taken.delete(key);
  };
}
