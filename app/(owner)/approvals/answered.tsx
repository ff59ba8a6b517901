import { type AnsweredDay, History } from "@/components/approvals/history/history";
import type { InboxApproval } from "@/components/approvals/types";
import { dayName } from "@/components/ui/time/day-name";
import { dayOf } from "@/lib/text/local-time";

type AnsweredProps = Omit<React.ComponentProps<typeof History>, "days"> & {
  approvals: InboxApproval[];
  timeZone: string;
};

/** The history, with its days as the owner's calendar has them. */
export function Answered({ approvals, timeZone, ...rest }: AnsweredProps) {
  const today = dayOf(Date.now(), timeZone);
  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone });
  const days = new Map<string, AnsweredDay["answers"]>();
  for (const approval of approvals) {
    const at = approval.resolution?.resolvedAt ?? approval._creationTime;
    const day = dayName(dayOf(at, timeZone), today);
    days.set(day, [...(days.get(day) ?? []), { approval, clock: clock.format(at) }]);
  }
  return <History days={[...days].map(([day, answers]) => ({ day, answers }))} {...rest} />;
}
