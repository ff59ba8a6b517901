import type { OwnerActor } from "@/lib/actor";
import { AppError } from "@/lib/errors";
import { resolveApproval } from "./approvals";
import { readApproval } from "./inbox";
import type { Answer, Resolution } from "./schema";

/**
 * The owner answers. Where somebody was quicker nothing changes and `won` is false; `resolution` is what holds either way.
 * @throws {AppError} 404, 400 for an option that was not offered
 */
export async function answerApproval(
  owner: OwnerActor,
  id: string,
  answer: Answer,
): Promise<{ won: boolean; resolution: Resolution }> {
  const won = await resolveApproval(owner, id, answer).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.status === 409) return false;
      throw error;
    },
  );
  const { resolution } = await readApproval(owner, id);
  return { won, resolution: resolution as Resolution };
}
