import { z } from "zod";
import { operation } from "@/lib/api-operation";
import { approvalId } from "@/lib/approvals/schema";
import { issueReceipt } from "./receipts";
import { Receipt } from "./schema";

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
