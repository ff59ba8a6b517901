import { type Formats, weekdayText } from "./dates";
import { localHour, localWeekday, wallClock } from "./local-time";

/*
 * The browser offers snooze times in its own time zone, where the owner is. The server computes the
 * same times for pages without scripts, and when it snoozes a question.
 */

/** The snooze options. */
export const snoozeChoices = ["hour", "evening", "tomorrow", "week"] as const;
export type SnoozeChoice = (typeof snoozeChoices)[number];

const eveningHour = 18;
const morningHour = 8;

/**
 * Returns when a snooze ends: in an hour, at the next 6 PM, at 8 AM tomorrow, or at 8 AM next
 * Monday.
 * @param now epoch milliseconds, like the result
 * @param timeZone an IANA name
 */
export function snoozeUntil(choice: SnoozeChoice, timeZone: string, now: number): number {
  if (choice === "hour") return now + 3_600_000;
  if (choice === "tomorrow") return localHour(now, timeZone, { days: 1, hour: morningHour });
  if (choice === "week")
    return localHour(now, timeZone, { days: (8 - localWeekday(now, timeZone)) % 7 || 7, hour: morningHour });
  const tonight = localHour(now, timeZone, { hour: eveningHour });
  return tonight > now ? tonight : localHour(now, timeZone, { days: 1, hour: eveningHour });
}

/**
 * A snooze option as the owner sees it, such as "This evening" and "Fri 18:00". `until` is in epoch
 * milliseconds.
 */
export type SnoozeOffer = { choice: SnoozeChoice; label: string; until: number; time: string };

/** The current options in that time zone, soonest first. */
export function snoozeOffers(timeZone: string, now: number, formats: Formats): SnoozeOffer[] {
  const evening = snoozeUntil("evening", timeZone, now);
  const isToday = evening < localHour(now, timeZone, { days: 1 });
  const labels: Record<SnoozeChoice, string> = {
    hour: "In 1 hour",
    evening: isToday ? "This evening" : "Tomorrow evening",
    tomorrow: "Tomorrow morning",
    week: "Next week",
  };
  return snoozeChoices
    .map((choice) => ({ choice, label: labels[choice], until: snoozeUntil(choice, timeZone, now) }))
    .sort((a, b) => a.until - b.until)
    .map((offer) => ({ ...offer, time: weekdayText(wallClock(offer.until, timeZone), formats) }));
}
