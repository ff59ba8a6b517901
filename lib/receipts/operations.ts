import { z } from "zod";
import { operation } from "@/lib/api-operation";
import { contentHash as hashOf } from "@/lib/approvals/content-hash";
import { submitApproval } from "@/lib/approvals/operations";
import { approvalId, type NewApproval } from "@/lib/approvals/schema";
import { issueReceipt } from "./receipts";
import { Receipt, Use } from "./schema";
import * as uses from "./use-answer";

export const getReceipt = operation({
  id: "getReceipt",
  method: "GET",
  path: "/api/approvals/{id}/receipt",
  scope: "approvals:read",
  summary: "Get a receipt",
  description:
    "Get a signed statement of the question and its answer, for the program that acts on the answer. Verify the receipt offline with the keys at `/.well-known/jwks.json`. Returns 409 until the approval is resolved.",
  input: z.strictObject({ id: approvalId }),
  output: Receipt,
  failures: [404, 409],
  run: async (app, { id }) => ({ receipt: await issueReceipt(app, id) }),
  example: {
    answered: true,
    response: {
      receipt: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhcHJfMG0zY3E4djVrMmg3dDFuOWI2ZDRnMHJqcGY4czJsN2UifQ.c2lnbmF0dXJl",
    },
  },
  tool: {
    name: "get_receipt",
    title: "Get a receipt",
    description:
      "Get a signed statement of the question and its answer. The program that acts on the answer can verify the receipt. The receipt is available once the approval is resolved.",
  },
});

const contentHash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, "Must be the approval's contentHash")
  .describe("The `contentHash` of the approval, so that the answer is used only for the content that the owner saw.");

const inValues =
  "The values of the resolution, if it has some, so that the answer is used only with what the owner allowed.";

export const useAnswer = operation({
  id: "useAnswer",
  method: "POST",
  path: "/api/approvals/{id}/use",
  scope: "approvals:write",
  summary: "Use an answer",
  description:
    "Use the owner's answer for one action, immediately before the action. The first use wins. A request with the same `Idempotency-Key` returns the same reply at any later time, and a request with another key returns 409. Returns 409 with a `reason` in `details` if the answer can't be used: `not_owner`, `content_mismatch`, `values_mismatch`, `withdrawn` or `used`. Create a new key for each action, and repeat the request with the same key only if the reply was lost.",
  input: z.strictObject({
    id: approvalId,
    contentHash,
    values: z.looseObject({}).optional().describe(inValues),
    idempotencyKey: z
      .string("Send the Idempotency-Key header")
      .regex(/^(?=.*[!-~])[ -~]{1,255}$/, "Must be 1 to 255 printable ASCII characters")
      .describe("A new key for each action, at most 255 printable ASCII characters."),
  }),
  body: z
    .strictObject({ contentHash, values: z.looseObject({}).optional().describe(inValues) })
    .meta({ id: "UseRequest" }),
  output: Use,
  failures: [400, 404, 409, 413],
  requiresKey: true,
  run: (app, { id, contentHash, values, idempotencyKey: key }) => uses.recordUse(app, { id, contentHash, values, key }),
  example: {
    answered: true,
    body: { contentHash: hashOf(submitApproval.example.body as NewApproval) },
    response: {
      usedAt: 1795000050000,
      receipt: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhcHJfMG0zY3E4djVrMmg3dDFuOWI2ZDRnMHJqcGY4czJsN2UifQ.c2lnbmF0dXJl",
    },
  },
  tool: {
    name: "use_answer",
    title: "Use an answer",
    description:
      "Use the owner's answer for one action, immediately before the action. Do the action only if this call succeeds. An answer can be used only once, and not after the owner withdrew it.",
  },
});
