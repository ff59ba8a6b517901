import type { OwnerActor } from "@/lib/actor";
import { asServiceApp } from "@/lib/grants/as-service-app";
import { submitApproval } from "../approvals";

/**
 * Sends the owner a test question. Like a question from an app, it is pending, triggers alerts and
 * can be answered.
 * @throws {AppError} 429 at the limit of pending approvals
 */
export const sendTestApproval = (owner: OwnerActor): Promise<{ id: string }> =>
  asServiceApp(owner, "approvals:write", (app) =>
    submitApproval(app, {
      question: "Did this question reach you?",
      options: [
        { id: "yes", label: "Yes, it did" },
        { id: "later", label: "Not yet", note: "This is only a test" },
      ],
      backgroundContext: "You sent yourself this question as a test. Nothing depends on your answer.",
      recommendation: "yes",
    }),
  );
