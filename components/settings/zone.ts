/** A phone takes long over its first zone: it is looked for once the page is there and answers. */
const zoneMs = 300;

/** Say, a moment from now, which time zone this browser is in. @returns to say it no more */
export function whenZoneKnown(say: (zone: string) => void): () => void {
  const timer = setTimeout(() => say(new Intl.DateTimeFormat().resolvedOptions().timeZone), zoneMs);
  return () => clearTimeout(timer);
}

/** Whether clocks show the same in both, winter and summer: a zone may have several names. */
export function isSameZone(one: string, other: string): boolean {
  const clocks = (timeZone: string) =>
    [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]
      .map((at) => new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at))
      .join();
  try {
    return clocks(one) === clocks(other);
  } catch {
    return false;
  }
}
