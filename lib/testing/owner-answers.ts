import type { OwnerActor } from "@/lib/actor";
import { resolveApproval } from "@/lib/approvals/approvals";
import type { Answer } from "@/lib/approvals/schema";

/** The signed-in owner answers what they see. */
export const ownerAnswers = (owner: OwnerActor, id: string, answer: Answer): Promise<void> =>
  resolveApproval(owner, id, answer);
