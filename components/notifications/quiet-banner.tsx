import { Notice } from "@/components/ui/notice";

type QuietBannerProps = { until: number; timeZone: string; held: number; now: number };

/** That quiet hours hold, until when by the owner's clock, and how much they hold back. */
export function QuietBanner({ until, timeZone, held, now }: QuietBannerProps) {
  const endless = until - now > 8 * 86_400_000;
  const far = until - now > 24 * 3_600_000;
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    ...(far && { weekday: "short" }),
  }).format(endless ? now : until);
  return (
    <div className="mb-4">
      <Notice>
        <p className="font-semibold">
          {endless ? "Quiet around the clock" : `Quiet until ${time}`}
          {held > 0 ? ` · ${held > 99 ? "99+" : held} held` : ""}
        </p>
        <p className="text-muted">New notifications are listed here, without counting or alerting until then.</p>
      </Notice>
    </div>
  );
}
