const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago in a few characters: "just now", "4 min ago", "2 h ago", "3 d ago", then the date. Also "in 5 min". */
export function relativeTime(at: number, now: number): string {
  const past = now - at;
  const size = Math.abs(past);
  if (size < minute) return past < 0 ? "in a moment" : "just now";
  if (size >= 30 * day) return calendarDate(at);
  const text =
    size < hour
      ? `${Math.floor(size / minute)} min`
      : size < day
        ? `${Math.floor(size / hour)} h`
        : `${Math.floor(size / day)} d`;
  return past < 0 ? `in ${text}` : `${text} ago`;
}

// Making a format costs a hundred times what using it does, and a list of questions has a time in every row.
const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "20 Nov 2026", in the reader's own time zone. */
export const calendarDate = (at: number): string => dates.format(at);

/** "20 Nov 2026, 11:51", in the reader's own time zone. */
export const absoluteTime = (at: number): string => moments.format(at);
