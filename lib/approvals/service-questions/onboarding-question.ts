import type { OwnerActor } from "@/lib/actor";
import { serviceApp } from "@/lib/apps/app-sql-for-other-domains";
import { sql } from "@/lib/database/sql";
import { asServiceApp } from "@/lib/grants/as-service-app";
import { submitApproval } from "../approvals";
import type { OwnerApproval } from "../owner-view";

/** The IDs of the options of the service's first question. */
export type FirstAnswer = "alerts" | "later" | "more";

const options: { id: FirstAnswer; label: string; note?: string }[] = [
  { id: "alerts", label: "Turn on alerts", note: "Your browser will ask for permission" },
  { id: "later", label: "Not now", note: "You can turn on alerts later in Settings" },
  { id: "more", label: "Tell me more" },
];

/**
 * Asks a new owner their first question. The question is a real approval, pending in their inbox
 * and answered like any other.
 */
export const askOnboardingQuestion = (owner: OwnerActor): Promise<{ id: string }> =>
  asServiceApp(owner, "approvals:write", (app) =>
    submitApproval(app, {
      question: "Would you like an alert when an app asks a question?",
      options,
      backgroundContext: [
        "Every question shows **who** asks, **what** the app wants to do, and your possible answers. Tap or click an answer, or press the answer’s number.",
        "Alerts arrive in this browser even when Countersign is closed.",
      ].join("\n\n"),
    }),
  );

/** Returns whether this is the owner's first question, which offers alerts. */
export const isOnboardingQuestion = ({ app, options: [first] }: Pick<OwnerApproval, "app" | "options">): boolean =>
  app.own === true && first?.id === options[0]?.id;

/**
 * Returns the owner's answer to the first question, including an answer that can still be undone.
 * Returns undefined if the question was not asked, or was not answered with an option.
 */
export async function firstAnswer({ ownerId }: OwnerActor): Promise<FirstAnswer | undefined> {
  const found = await sql<{ answer: FirstAnswer }>`
    SELECT coalesce(a.resolution, d.held_answer) ->> 'optionId' AS answer
    FROM approval a LEFT JOIN approval_triage d ON d.approval_id = a.id
    WHERE a.owner_id = ${ownerId}
      AND a.app_id = ${serviceApp(ownerId)}
      AND a.options -> 0 ->> 'id' = ${options[0]!.id}
    ORDER BY a.created_at LIMIT 1`.row();
  return found?.answer ?? undefined;
}
