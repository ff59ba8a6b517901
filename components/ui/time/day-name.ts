/** A day ("2026-11-20") as a heading: "Today", "Yesterday", "Friday 20 November", with the year where it is another. */
export function dayName(day: string, today: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  const ago = (Date.parse(`${today}T00:00:00Z`) - at) / 86_400_000;
  if (ago === 0) return "Today";
  if (ago === 1) return "Yesterday";
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: "numeric" }),
  }).format(at);
}
