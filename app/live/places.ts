/** Most streams that one owner may have open on one copy of the service. */
const most = 10;

// On globalThis, so that a reload of the code in development does not forget who is here.
const shared = globalThis as typeof globalThis & { countersignStreams?: Map<string, number> };

/** Take one of the owner's places. @returns how to give it back, once; undefined when all are taken */
export function takePlace(ownerId: string): (() => void) | undefined {
  const streams = (shared.countersignStreams ??= new Map());
  const taken = streams.get(ownerId) ?? 0;
  if (taken >= most) return undefined;
  streams.set(ownerId, taken + 1);
  let left = false;
  return () => {
    if (left) return;
    left = true;
    const now = (streams.get(ownerId) ?? 1) - 1;
    if (now > 0) streams.set(ownerId, now);
    else streams.delete(ownerId);
  };
}
