import { afterAll, expect, test } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { contentHash } from "@/lib/approvals/content-hash";
import { createSession } from "@/lib/owners/sessions";
import { recordUse } from "@/lib/receipts/use-answer";
import { answerApproval } from "@/lib/testing/answer-approval";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { aQuestion } from "@/lib/testing/sample-question";
import { addDevice } from "./devices";

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());

const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";

test("alerts the owner to a second use of an answer with high risk", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  const entrance = { ownerId: owner.ownerId, sessionVersion: 1 };
  const { id: session } = await createSession(entrance, { method: "password", userAgent, address: "127.0.0.1" });
  await addDevice({ ...owner, session }, service.browser().subscription, userAgent);
  for (const risk of ["low", "high"] as const) {
    const question = { ...aQuestion, risk };
    const { id } = await submitApproval(app, question);
    await answerApproval(owner, id, { kind: "option", optionId: "ship" });
    const use = (key: string) => recordUse(app, { id, contentHash: contentHash(question), key });
    await use("key 1");
    await expect(use("key 2")).rejects.toMatchObject({ status: 409 });
    await alertOwners();
  }
  const titles = service.pushed.map(({ message }) => (message as { notification?: { title: string } }).notification);
  expect(titles.flatMap((it) => it?.title ?? [])).toEqual(["New notification from Countersign"]);
});
