import { expect, test } from "vitest";
import { getApproval, resolveApproval, submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import type { Approval } from "@/lib/approvals/schema";
import { recordUse, recordUseWithReceipt } from "@/lib/receipts/use-answer";
import { anAppWith } from "@/lib/testing/factories";
import { aQuestion } from "@/lib/testing/sample-question";
import { everyApp, freeze, unfreeze } from "./freeze";

const content = { contentHash: contentHash(aQuestion) };

async function answered() {
  const made = await anAppWith("approvals:write", "approvals:read");
  const { id } = await submitApproval(made.app, aQuestion);
  await resolveApproval(made.owner, id, { kind: "option", optionId: "ship" }, content);
  const asker = { ownerId: made.owner.ownerId, appId: made.clientId };
  return {
    ...made,
    read: async () => JSON.parse((await getApproval(made.app, id)).text) as Approval,
    use: (key = "k") => recordUse(made.app, { id, ...content, key }),
    withReceipt: (key = "k") => recordUseWithReceipt(asker, { id, ...content, key }),
  };
}

const frozen = { status: 403, details: [expect.objectContaining({ reason: "frozen" })] };

test("refuses every use while the app is frozen", async () => {
  const { owner, clientId, use, withReceipt, read } = await answered();
  for (const appId of [clientId, everyApp]) {
    await freeze(owner, { appId, by: "owner" });
    await expect(use()).rejects.toMatchObject(frozen);
    await expect(withReceipt()).rejects.toMatchObject(frozen);
    await unfreeze(owner, appId);
  }
  expect((await read()).usedAt).toBeUndefined();
  const first = await withReceipt();
  await freeze(owner, { appId: everyApp, by: "owner" });
  await expect(withReceipt()).rejects.toMatchObject(frozen);
  await unfreeze(owner, everyApp);
  expect(await withReceipt()).toEqual(first);
});
