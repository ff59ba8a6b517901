/**
 * How long to wait before determining the time zone, in milliseconds. Determining it is slow on
 * phones, so the page becomes interactive first.
 */
const zoneMs = 300;

/** Returns the IANA name of this browser's time zone. */
export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Passes this browser's time zone to `say` after a short delay.
 * @returns a function that cancels the call
 */
export function whenZoneKnown(say: (zone: string) => void): () => void {
  const timer = setTimeout(() => say(zoneHere()), zoneMs);
  return () => clearTimeout(timer);
}

/**
 * Returns the city in a time zone's name, such as "New York" for America/New_York. "UTC" stays
 * "UTC".
 */
export const placeOf = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

/**
 * Whether two time zones have the same offsets in January and in July, because one zone can have
 * several names. False if a name is unknown.
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
