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

// By hand: the first use of Intl costs a phone some thirty milliseconds, on the way to the page's first picture.
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];
const two = (count: number) => String(count).padStart(2, "0");

/** "20 Nov 2026", in the reader's own time zone. */
export function calendarDate(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}`;
}

/** "20 Nov 2026, 11:51", in the reader's own time zone. */
export const absoluteTime = (at: number): string => `${calendarDate(at)}, ${clockTime(at)}`;

/** "at 11:51" of today, "on 20 Nov 2026, 11:51" of any other day. */
export const momentInWords = (at: number, now: number): string =>
  calendarDate(at) === calendarDate(now) ? `at ${clockTime(at)}` : `on ${absoluteTime(at)}`;

function clockTime(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}
