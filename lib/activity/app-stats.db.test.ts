import { expect, it } from "vitest";
import { submitApproval } from "@/lib/approvals/approvals";
import { db } from "@/lib/database/db";
import { pushNotification } from "@/lib/notifications/notifications";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anAppWith, anOwner, aTokenFor } from "@/lib/testing/factories";
import { readAppStats } from "./app-stats";

const options = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];

it("reports an app's 30-day question count and median response time", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write", "notifications:write");
  expect(await readAppStats(owner, clientId)).toEqual({ asked: 0, answered: 0, types: [] });
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const answeredIn = (minutes: number, by: "owner" | "api", days = 1) => ({
    id: `apr_${Math.random()}`,
    ownerId: owner.ownerId,
    appId: clientId,
    question: "Old?",
    options,
    status: "resolved",
    createdAt: at(days * 1440 + minutes),
    resolvedAt: at(days * 1440),
    resolution: { kind: "option", optionId: "yes", resolvedBy: by, resolvedAt: at(days * 1440).getTime() },
  });
  await db.approval.createMany({
    data: [
      answeredIn(1, "owner"),
      answeredIn(3, "owner"),
      answeredIn(90, "owner"),
      answeredIn(0, "api"),
      answeredIn(5, "owner", 31),
    ],
  });
  await submitApproval(app, { question: "New?", options });
  for (const type of ["build", "alarm", "build"]) await pushNotification(app, { title: "News", type });
  expect(await readAppStats(owner, clientId)).toEqual({
    asked: 5,
    answered: 3,
    types: ["alarm", "build"],
    medianMs: 180_000,
  });
  const other = await anOwner();
  await aTokenFor(other, clientId, ["approvals:write"]);
  expect(await readAppStats(other, clientId)).toEqual({ asked: 0, answered: 0, types: [] });
});

it("counts a new answer in the app's statistics", async () => {
  const { owner, app, clientId } = await anAppWith("approvals:write");
  const { id } = await submitApproval(app, { question: "New?", options });
  await answerApproval(owner, id, { kind: "option", optionId: "yes" });
  expect(await readAppStats(owner, clientId)).toMatchObject({ asked: 1, answered: 1 });
});
