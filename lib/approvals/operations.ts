import { z } from "zod";
import { Done, operation, RawJson } from "@/lib/api-operation";
import { pageParams, pageSchema } from "@/lib/requests/pagination";
import { waitParam } from "@/lib/wait-param";
import * as approvals from "./approvals";
import { EitherAnswer } from "./content/api-answer-schema";
import { NewOption, optionId } from "./content/option-schema";
import { contentHash } from "./content-hash";
import { AnswerTo, Approval, approvalId, choices, NewApproval, SubmittedApproval, WaitedApproval } from "./schema";
import { randomNumber } from "./statements/number-match";
import { waitForApproval, waitForSubmitted } from "./wait-for-approval";

const question = {
  question: "Ship build 418 to production?",
  facts: [{ label: "Build", value: "418" }],
  options: [
    { id: "ship", label: "Ship now" },
    { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
  ],
  backgroundContext: "All **212** checks are green.",
  recommendation: "wait",
  risk: "normal",
} as const;
const exampleId = "apr_0m3cq8v5k2h7t1n9b6d4g0rjpf8s2l7e";
const asked = {
  _creationTime: 1795000000000,
  clientId: "app_5t9d2k7hq0v3m8c1n6b4g7rjpf2s8l0e",
  ...question,
  contentHash: contentHash({ ...question, facts: [...question.facts], options: [...question.options] }),
};
const resolution = { kind: "option", optionId: "wait", resolvedBy: "owner", resolvedAt: 1795000042000 };
const answered = { ...asked, status: "resolved", resolution };

/**
 * The forms of `options`, `match` and `signedByOwner` that the tool accepts from models. An option
 * can be a string, which is its label and ID. The service chooses the number, because a model would
 * choose a predictable one.
 */
const formsForModels = {
  fields: {
    match: z
      .boolean()
      .optional()
      .describe(
        "Whether the person must first pick a number. If `true`, the tool returns immediately, with the number as `match`. Show it to the person, then call check_approval. Requires `risk: high`.",
      ),
    // A list of the possible texts would exclude `true`, because clients read one merged schema.
    signedByOwner: z
      .union([z.boolean(), z.string()])
      .optional()
      .describe("Whether the person must sign with a passkey: `true`, `when-possible` or `in-lens`."),
    options: z
      .array(z.union([optionId, NewOption]))
      .min(1)
      .max(20)
      .describe(`${choices} A string is both the ID and the label of an option.`),
  },
  normalize: ({ options, match, ...others }: Record<string, unknown>) => ({
    ...others,
    ...(match !== undefined && match !== false && { match: match === true ? randomNumber() : match }),
    ...(options !== undefined && {
      options: Array.isArray(options)
        ? options.map((it) => (typeof it === "string" ? { id: it, label: it } : it))
        : options,
    }),
  }),
};

export const submitApproval = operation({
  id: "submitApproval",
  method: "POST",
  path: "/api/approvals",
  scope: "approvals:write",
  summary: "Submit an approval",
  description:
    "Ask the owner a question with a set of options. The question appears in the owner's Approvals inbox. With `wait`, the response includes the approval, and arrives once the approval is resolved or the wait ends. Waiting also requires `approvals:read`. Repeating the request with the same `Idempotency-Key` resumes the wait without asking the owner again.",
  input: NewApproval,
  output: SubmittedApproval,
  status: 201,
  failures: [400, 413, 422],
  idempotent: true,
  hints: {
    expiresIn: "Send expiresAt, a time in epoch milliseconds",
    ttl: "Send expiresAt, a time in epoch milliseconds",
  },
  run: async (app, ask) => new RawJson(JSON.stringify(await approvals.submitApproval(app, ask))),
  waits: {
    scope: "approvals:read",
    output: WaitedApproval,
    gives: { id: exampleId, ...answered },
    run: (app, { id }, seconds, leaving) => waitForSubmitted(app, id, seconds, leaving()),
  },
  example: { body: question, response: { id: exampleId } },
  tool: {
    name: "ask_owner",
    title: "Ask the owner",
    description:
      "Request a decision from the person you act for, and wait for the answer. Call this tool before any action that costs money, publishes or deletes something, or cannot be undone. Then do exactly what the person decided. Use `risk: high` if a wrong approval is costly or final. The person then confirms in a second step. Mark risky options with `style: danger`. `options` are the choices that the person sees. Each option is a string, or an object with an `id` for you and a `label` for the person. If no answer arrives in time, call check_approval with the returned ID. If you repeat a pending question, the wait resumes and the person sees no second question.",
    waitsFor: "answer",
    needs: { defaultOptionId: "approvals:resolve" },
    aliases: formsForModels,
  },
});

export const listApprovals = operation({
  id: "listApprovals",
  method: "GET",
  path: "/api/approvals",
  scope: "approvals:read",
  summary: "List approvals",
  description: "List the approvals that this app submitted, newest first.",
  input: z.strictObject({
    status: Approval.shape.status
      .optional()
      .describe("Returns only approvals with this status. By default, returns all approvals."),
    ...pageParams,
  }),
  output: pageSchema(Approval, "ApprovalPage"),
  failures: [400],
  hints: { wait: "Send wait only for a single approval: GET /api/approvals/{id}?wait=30" },
  run: approvals.listApprovals,
  example: {
    query: { status: "pending", limit: "20" },
    response: { data: [{ _id: exampleId, ...asked, status: "pending" }] },
  },
});

export const getApproval = operation({
  id: "getApproval",
  method: "GET",
  path: "/api/approvals/{id}",
  scope: "approvals:read",
  summary: "Get an approval",
  description:
    "Get an approval that this app submitted. Once the approval is resolved, the response includes its resolution. With `wait`, the response arrives as soon as the approval is resolved or its deadline passes. If the wait ends first, the response contains the current state. `Retry-After` gives the number of seconds to wait before the next request. A new clarification in `questions` also ends the wait, once per clarification, while the approval is still pending.",
  input: z.strictObject({
    id: approvalId,
    wait: waitParam.optional().describe("Seconds to wait for the answer."),
  }),
  output: Approval,
  failures: [400, 404],
  run: (app, { id, wait }, leaving) =>
    wait === undefined ? approvals.getApproval(app, id) : waitForApproval(app, id, wait, leaving()),
  example: { response: { _id: exampleId, ...answered } },
  tool: {
    name: "check_approval",
    title: "Check an approval",
    description:
      "Wait for the owner's answer to an earlier question, or read the answer again. Pass the ID from ask_owner.",
    waitsFor: "answer",
  },
});

export const resolveApproval = operation({
  id: "resolveApproval",
  method: "POST",
  path: "/api/approvals/{id}/resolve",
  scope: "approvals:resolve",
  summary: "Resolve an approval",
  description:
    "Answer an approval that this app submitted. The service records the answer with `resolvedBy: api`. A program that acts on an answer should require `resolvedBy: owner`. Returns 403 if the approval is `ownerOnly` or was submitted with `match`. Returns 409 once the approval is resolved or its deadline has passed.",
  input: AnswerTo,
  body: EitherAnswer,
  output: Done,
  failures: [400, 404, 409, 413, 422],
  idempotent: true,
  hints: { answer: "Send optionId if kind is option, or otherText if kind is other" },
  run: async (app, { id, ...answer }) => {
    await approvals.resolveApproval(app, id, answer);
    return { ok: true };
  },
  example: {
    body: { kind: "option", optionId: "wait", note: "The soak test found something." },
    response: { ok: true },
  },
  tool: {
    name: "resolve_approval",
    title: "Resolve an approval",
    description:
      "Answer a question that this app asked. The answer is final. The answer is recorded as the app's own answer, and never counts as the owner's consent. The call fails if only the owner may answer, the question is already answered, or the deadline has passed.",
    destructive: true,
  },
});
