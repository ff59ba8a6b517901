import { redirect } from "next/navigation";
import { askOnboardingQuestion } from "@/lib/approvals/onboarding-question";
import { reportError } from "@/lib/error-reporting";
import type { Entrance } from "@/lib/owners/schema";
import { startSession } from "./session";

/**
 * Signs in the owner of a new account; their first question is in the inbox. In a server action.
 */
export async function welcome(entrance: Entrance): Promise<never> {
  await startSession(entrance, "password");
  // The account exists. Without the question, the inbox shows the first steps.
  await askOnboardingQuestion({ kind: "owner", ownerId: entrance.ownerId }).catch((error) => {
    reportError(error, "the first question could not be created");
  });
  redirect("/approvals");
}
