import { expect, test } from "vitest";
import { listApps } from "@/lib/apps/apps";
import { changeSettings } from "@/lib/owners/settings";
import { answerApproval } from "@/lib/testing/answer-approval";
import { anAppWith, anOwner } from "@/lib/testing/factories";
import { submitApproval } from "../approvals";
import { undoAnswers } from "../held-answers";
import { readApproval, recentEndings } from "../inbox-queries";
import { askOnboardingQuestion, firstAnswer } from "./onboarding-question";
import { sendTestApproval } from "./test-approval";

const chosen = (optionId: string) => ({ kind: "option", optionId }) as const;

test("marks the onboarding question as the service's own", async () => {
  const owner = await anOwner();
  expect(await firstAnswer(owner)).toBeUndefined();
  const { id } = await askOnboardingQuestion(owner);
  expect((await readApproval(owner, id)).app).toMatchObject({ name: "Countersign", own: true, revoked: false });
  expect(await listApps(owner)).toEqual([]);
  expect(await firstAnswer(owner)).toBeUndefined();
  expect(await answerApproval(owner, id, chosen("later"))).toMatchObject({
    won: true,
    resolution: { optionId: "later", resolvedBy: "owner" },
  });
  expect(await firstAnswer(owner)).toBe("later");
  expect(await firstAnswer(await anOwner())).toBeUndefined();
});

test("returns a held answer to the onboarding question until the owner undoes the answer", async () => {
  const owner = await anOwner();
  await changeSettings(owner, { undoSeconds: 30 });
  const { id } = await askOnboardingQuestion(owner);
  expect(await answerApproval(owner, id, chosen("more"))).toHaveProperty("held");
  expect(await firstAnswer(owner)).toBe("more");
  await undoAnswers(owner, [id]);
  expect(await firstAnswer(owner)).toBeUndefined();
});

test("distinguishes the service's questions from apps' questions", async () => {
  const { owner, app } = await anAppWith("approvals:write");
  const own = await sendTestApproval(owner);
  await answerApproval(owner, own.id, chosen("yes"));
  const asked = await submitApproval(app, { question: "Ship it?", options: [{ id: "alerts", label: "Yes" }] });
  await answerApproval(owner, asked.id, chosen("alerts"));
  expect((await recentEndings(owner)).map(({ id, own }) => [id, own])).toEqual([
    [asked.id, false],
    [own.id, true],
  ]);
  expect((await readApproval(owner, asked.id)).app).not.toHaveProperty("own");
  expect(await firstAnswer(owner)).toBeUndefined();
});
