import { expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { maxBatchAnswers } from "@/lib/approvals/answer";
import { inChunks, maxIdsPerRequest, withSeen } from "./send-inbox-actions";

const asked = (id: string) => ({ _id: id, contentHash: `hash of ${id}` }) as unknown as InboxApproval;

test("sends the content hash of each question in a batch", () => {
  const form = withSeen([asked("1"), asked("2")], { optionId: "yes" });
  expect(form.getAll("ids")).toEqual(["1", "2"]);
  expect(form.getAll("seen")).toEqual(["hash of 1", "hash of 2"]);
});

test("splits a batch of 250 questions into requests of at most 100", () => {
  expect(maxIdsPerRequest).toBe(maxBatchAnswers);
  const several = Array.from({ length: 250 }, (_, at) => at);
  expect(inChunks(several).map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(inChunks(several).flat()).toEqual(several);
  expect(inChunks([])).toEqual([]);
});
