import type { OwnerActor } from "@/lib/actor";
import * as answering from "@/lib/approvals/answer";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { Answer } from "@/lib/approvals/schema";

/** Reads a question as the owner, and answers the version that was read. */
export const answerApproval = async (owner: OwnerActor, id: string, answer: Answer) =>
  answering.answerApproval(owner, id, answer, (await readApproval(owner, id)).contentHash, { confirmed: true });

/** Reads several questions as the owner, and answers them together. */
export const answerTogether = async (owner: OwnerActor, ids: string[], answer: Answer) => {
  const several = [];
  for (const id of ids) several.push({ id, seen: (await readApproval(owner, id)).contentHash });
  return answering.answerBatch(owner, several, answer);
};
