import { redirect } from "next/navigation";
import { askOnboardingQuestion } from "@/lib/approvals/onboarding-question";
import { reportError } from "@/lib/error-reporting";
import type { Entrance } from "@/lib/owners/schema";
import { startSession } from "./session";

/** Let in somebody who has just made their account: in the inbox their first question waits. In a server action. */
export async function welcome(entrance: Entrance): Promise<never> {
  await startSession(entrance, "password");
  // The account is there. Without the question the inbox says what to do first.
  await askOnboardingQuestion({ kind: "owner", ownerId: entrance.ownerId }).catch((error) => {
    reportError(error, "the first question could not be asked");
  });
  redirect("/approvals");
}
