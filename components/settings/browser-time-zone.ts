/**
 * The delay before the time zone is determined, in milliseconds. This is slow on phones, so the
 * page first becomes interactive.
 */
const zoneMs = 300;

/** This browser's time zone: its IANA name. */
export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Passes this browser's time zone to `say` after a short delay.
 * @returns a function that cancels the call
 */
export function whenZoneKnown(say: (zone: string) => void): () => void {
  const timer = setTimeout(() => say(zoneHere()), zoneMs);
  return () => clearTimeout(timer);
}

/** The city in a time zone's name: "New York" for America/New_York. "UTC" stays "UTC". */
export const placeOf = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

/**
 * Whether two zones have the same offsets in winter and summer. One zone can have several names.
 */
export function isSameZone(a: string, b: string): boolean {
  const clocks = (timeZone: string) =>
    [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]
      .map((time) => new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short", timeStyle: "short" }).format(time))
      .join();
  try {
    return clocks(a) === clocks(b);
  } catch {
    return false;
  }
}
