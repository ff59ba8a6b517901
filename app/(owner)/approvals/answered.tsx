import { type AnsweredDay, History } from "@/components/approvals/history/history";
import type { Asked } from "@/components/approvals/types";
import { dayName } from "@/components/ui/day-name";
import { dayOf } from "@/lib/text/local-time";

type AnsweredProps = Omit<React.ComponentProps<typeof History>, "days"> & { approvals: Asked[]; timeZone: string };

/** The history, with its days as the owner's calendar has them. */
export function Answered({ approvals, timeZone, ...rest }: AnsweredProps) {
  const today = dayOf(Date.now(), timeZone);
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone });
  const days = new Map<string, AnsweredDay["answers"]>();
  for (const asked of approvals) {
    const at = asked.resolution?.resolvedAt ?? asked._creationTime;
    const day = dayName(dayOf(at, timeZone), today);
    days.set(day, [...(days.get(day) ?? []), { asked, clock: clock.format(at) }]);
  }
  return <History days={[...days].map(([day, answers]) => ({ day, answers }))} {...rest} />;
}
