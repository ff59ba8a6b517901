import { emailOwners } from "@/lib/alerts/email";
import { keepDeadlines } from "@/lib/approvals/deadlines";
import { commitDue } from "@/lib/approvals/held";
import { returnAsked, returnSnoozed } from "@/lib/approvals/triage";
import { eraseDue } from "@/lib/integrations/disconnect";
import { keepAlive } from "@/lib/integrations/keep-alive";
import { fileExpired } from "@/lib/notifications/expiry";
import { writeRefusals } from "@/lib/owners/refusals";
import { mailRefusals } from "@/lib/owners/security-mail";
import { loop } from "@/lib/work/loop";
import { sweep } from "./sweep";

/**
 * What every running copy does from time to time. Each must be safe to run on several copies at once, and is planned by
 * `chores.db.test.ts` on a filled database. `stopping` tells one that goes on for long that the copy is to end.
 */
export const chores: { name: string; everyMs: number; run: (stopping: AbortSignal) => Promise<unknown> }[] = [
  { name: "sweep", everyMs: 300_000, run: sweep },
  { name: "e-mail", everyMs: 20_000, run: emailOwners },
  { name: "refused sign-ins", everyMs: 10_000, run: writeRefusals },
  { name: "e-mail about refused sign-ins", everyMs: 60_000, run: mailRefusals },
  { name: "held answers", everyMs: 1000, run: commitDue },
  { name: "deadlines", everyMs: 1000, run: keepDeadlines },
  { name: "snoozed approvals", everyMs: 1000, run: returnSnoozed },
  { name: "approvals that wait for their apps", everyMs: 1000, run: returnAsked },
  { name: "file expired notifications", everyMs: 60_000, run: () => fileExpired() },
  { name: "linked accounts", everyMs: 5000, run: (stopping) => keepAlive({ stopping }) },
  { name: "removed accounts", everyMs: 1000, run: (stopping) => eraseDue({ stopping }) },
];

/** Do the chores, each again some time after its last turn ended. @returns how to stop; resolves when none is at work */
export function startChores(): () => Promise<void> {
  const problem = "a chore failed; will retry";
  const loops = chores.map(({ name, everyMs, run }) => loop({ every: everyMs, problem, about: { chore: name }, run }));
  return async () => {
    await Promise.all(loops.map(({ stop }) => stop()));
  };
}
