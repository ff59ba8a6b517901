import { afterAll, expect, test } from "vitest";
import { addDevice } from "@/lib/alerts/devices";
import type { ShowMessage } from "@/lib/alerts/push-schema";
import { submitApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import { changeSettings } from "@/lib/owners/settings";
import { configure } from "@/lib/testing/change-settings";
import { alertOwners } from "@/lib/testing/chores";
import { anAppWith } from "@/lib/testing/factories";
import { aPushService } from "@/lib/testing/fake-push-service";
import { POST } from "./route";

const service = await aPushService();
configure({ ALLOW_PRIVATE_FETCH: service.origin });
afterAll(() => service.close());

const press = (form: Record<string, string>) =>
  POST(new Request("http://localhost:3000/alerts/answer", { method: "POST", body: new URLSearchParams(form) }));

test("rejects every choice except 0 and 1 for a question with two options", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  await changeSettings(owner, { lockScreen: "full", answerFromAlerts: true, undoSeconds: 0 });
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/149.0 Safari/537.36";
  await addDevice({ ...owner, session: "ses_x" }, service.browser().subscription, chrome);
  const options = [
    { id: "y", label: "Tidy it" },
    { id: "n", label: "Leave it" },
  ];
  const { id } = await submitApproval(app, { question: "Tidy the cache?", options, risk: "low" });
  await alertOwners();
  const [shown] = service.pushed.map(({ message }) => (message as unknown as ShowMessage).notification);
  const ticket = shown?.data?.ticket ?? "";
  expect(ticket).not.toBe("");

  expect((await press({ ticket })).status).toBe(409);
  for (const choice of ["", " ", "00", "0.0", "-0", "0x0", "2", "y", "null"]) {
    expect([choice, (await press({ ticket, choice })).status]).toEqual([choice, 409]);
  }
  expect((await db.approval.findUniqueOrThrow({ where: { id } })).status).toBe("pending");
  expect((await press({ ticket, choice: "1" })).status).toBe(200);
  const { resolution } = await db.approval.findUniqueOrThrow({ where: { id } });
  expect(resolution).toMatchObject({ optionId: "n" });
});
