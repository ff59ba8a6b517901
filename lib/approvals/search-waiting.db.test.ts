import { expect, test } from "vitest";
import { anAppWith } from "@/lib/testing/factories";
import { resolveApproval, submitApproval } from "./approvals";
import { searchWaiting } from "./inbox-queries";

const options = [{ id: "yes", label: "Yes" }];

test("finds the owner's pending questions by text or app", async () => {
  const { owner, app, name } = await anAppWith("approvals:write");
  const other = await anAppWith("approvals:write");
  const ask = (question: string, by = app) =>
    submitApproval({ ...by, needs: "approvals:write" }, { question, options });
  const { id } = await ask("Ship build 418 to production?");
  const { id: second } = await ask("Pay 100% of invoice_88?");
  const { id: answered } = await ask("Ship build 417?");
  await resolveApproval(owner, answered, { kind: "option", optionId: "yes" });
  await ask("Ship build 419?", other.app);
  const ids = async (words: string) => (await searchWaiting(owner, words)).map((found) => found.id);
  expect(await searchWaiting(owner, "PRODUCTION ship")).toEqual([
    { id, question: "Ship build 418 to production?", app: name },
  ]);
  expect(await ids(name)).toEqual([id, second]);
  expect(await ids("100%")).toEqual([second]);
  expect(await ids("invoice_8")).toEqual([second]);
  expect(await ids("1_0")).toEqual([]);
  expect(await ids("ship nothing")).toEqual([]);
  expect(await ids("  ")).toEqual([]);
});
