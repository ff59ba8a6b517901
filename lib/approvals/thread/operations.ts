import { Done, operation } from "@/lib/api-operation";
import { epochMillis } from "@/lib/timestamp-schema";
import * as additions from "./additions";
import * as outcomes from "./report-outcome";
import { AdditionTo, NewAddition, NewOutcome, OutcomeOf } from "./schema";

export const addToApproval = operation({
  id: "addToApproval",
  method: "POST",
  path: "/api/approvals/{id}/additions",
  scope: "approvals:write",
  summary: "Add to an approval",
  description:
    "Add information to a pending approval, for example to answer the owner's `questions`. The addition appears below the original question and becomes part of the approval. The question does not change. An approval accepts at most 20 additions with 20,000 characters in total.",
  input: AdditionTo,
  body: NewAddition,
  output: Done.extend({ createdAt: epochMillis() }).meta({ id: "Added" }),
  failures: [400, 404, 409, 413, 422],
  idempotent: true,
  run: async (app, { id, ...addition }) => ({
    ok: true,
    ...(await additions.addToApproval(app, id, addition)),
  }),
  example: {
    body: { text: "The soak test ended at 17:40: **no errors** in 3 hours." },
    response: { ok: true, createdAt: 1795000021000 },
  },
  tool: {
    name: "add_context",
    title: "Add context to an approval",
    description:
      "Add information to a pending question, for example to answer the owner's request for clarification. The information appears below the question.",
  },
});

export const reportOutcome = operation({
  id: "reportOutcome",
  method: "POST",
  path: "/api/approvals/{id}/outcome",
  scope: "approvals:write",
  summary: "Report the outcome of an answer",
  description:
    "Report the outcome of a resolved approval to the owner. Report `started`, then `done` or `failed`. The approval's `outcome` contains the latest report. Earlier reports stay in the owner's history. An approval accepts at most 20 reports.",
  input: OutcomeOf,
  body: NewOutcome,
  output: Done,
  failures: [400, 404, 409, 413, 422],
  idempotent: true,
  run: async (app, { id, ...outcome }) => {
    await outcomes.reportOutcome(app, id, outcome);
    return { ok: true };
  },
  example: {
    body: { status: "done", text: "Deployed build 418.", link: "https://ci.example/builds/418" },
    answered: true,
    response: { ok: true },
  },
});
