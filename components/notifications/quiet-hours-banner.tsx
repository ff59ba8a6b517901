import { clockText, type Formats, weekdayText } from "@/lib/text/dates";

type QuietBannerProps = {
  until: number;
  /** When quiet hours end, as the owner's local time encoded as if it were UTC. */
  clock: number;
  held: number;
  now: number;
  formats: Formats;
};

/** Says until when quiet hours last, and how many notifications are held back. */
export function QuietBanner({ until, clock, held, now, formats }: QuietBannerProps) {
  const endless = until - now > 8 * 86_400_000;
  const far = until - now > 24 * 3_600_000;
  return (
    <p className="mb-1 text-muted">
      {endless ? "Quiet hours all day" : `Quiet hours until ${(far ? weekdayText : clockText)(clock, formats)}`}
      {held > 0 ? ` · ${held > 99 ? "99+" : held} ${held === 1 ? "notification" : "notifications"} waiting` : ""}
    </p>
  );
}
