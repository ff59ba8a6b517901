import { clockText, type Formats, weekdayText } from "@/lib/text/dates";

type QuietBannerProps = {
  until: number;
  /** The owner's local time at the end, as if it were UTC. */
  clock: number;
  held: number;
  now: number;
  formats: Formats;
};

/** Shows the end of quiet hours on the owner's clock, and the number held back. */
export function QuietBanner({ until, clock, held, now, formats }: QuietBannerProps) {
  const endless = until - now > 8 * 86_400_000;
  const far = until - now > 24 * 3_600_000;
  return (
    <p className="mb-1 text-muted">
      {endless ? "Quiet hours all day" : `Quiet until ${(far ? weekdayText : clockText)(clock, formats)}`}
      {held > 0 ? ` · ${held > 99 ? "99+" : held} waiting` : ""}
    </p>
  );
}
