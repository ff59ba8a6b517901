import { expect, test } from "vitest";
import { anAppWith } from "@/lib/testing/factories";
import { notePlans } from "@/lib/testing/query-plans";
import { aQuestion } from "@/lib/testing/sample-question";
import { resolveApproval, submitApproval } from "./approvals";

const plans = await notePlans(process.env.DATABASE_URL ?? "");

test("limits the number of rows that batches of questions and answers read", async () => {
  const { app } = await anAppWith("approvals:write", "approvals:resolve");
  const maxRows = (part: string) =>
    Math.max(...plans.filter(({ statement }) => statement.includes(part)).map(({ rows }) => rows));
  const asked = await Promise.all(Array.from({ length: 60 }, () => submitApproval(app, aQuestion)));
  await Promise.all(asked.map(({ id }) => resolveApproval(app, id, { kind: "option", optionId: "ship" })));
  for (const part of ["made AS", "won AS"]) {
    // Most of the sixty requests ran in one batch.
    expect(maxRows(part)).toBeGreaterThan(500);
    expect(maxRows(part)).toBeLessThan(20_000);
  }
});
