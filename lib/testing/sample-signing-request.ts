import { hash } from "node:crypto";
import { contentHash as serviceHash } from "@/lib/approvals/content-hash";
import { canonicalJson } from "@/lib/client/canonical-json";

/** A question about a payment, as an app submits it. */
export const payment = {
  question: "Pay invoice 7 of Harbour Bakery?",
  facts: [
    { label: "Amount", value: "86.40 €" },
    { label: "To", value: "Harbour Bakery, GB33 BUKB 2020 1555 5555 55" },
    { label: "Due", value: "30 November" },
  ],
  options: [
    {
      id: "pay",
      label: "Pay 86.40 €",
      note: "The bank sends the money today.",
      style: "danger" as const,
      fields: true as const,
    },
    { id: "later", label: "Ask me again on Monday" },
    { id: "keep", label: "Don’t pay" },
  ],
  fields: {
    type: "object" as const,
    properties: {
      amount: {
        type: "object" as const,
        format: "money" as const,
        title: "Amount",
        currency: "EUR",
        minimum: "1.00",
        maximum: "100.00",
        default: { amount: "86.40", currency: "EUR" },
      },
      account: { type: "string" as const, title: "From account", enum: ["Current", "Savings"], default: "Current" },
    },
    required: ["amount"],
  },
  backgroundContext: "The bakery sent the invoice on 12 November.\n\n- 24 loaves\n- 2 cakes",
  recommendation: "pay",
  risk: "high" as const,
  ownerOnly: true as const,
  once: true as const,
};

/** The parts of a signing request that tests change. */
export type SampleRequest = {
  contents: Record<string, unknown>[];
  statement: Record<string, unknown> & { answers: Record<string, unknown>[] };
  texts: Record<string, unknown>[];
};

const hashOf = (text: string) => `sha256:${hash("sha256", text, "hex")}`;

/**
 * Returns a signing request for the payment, whose hashes the service's own code computed.
 * @param changes other members of the statement, the content, the answer or the owner's texts
 */
export function sampleRequest({
  statement = {},
  content = payment,
  answer = { option: "pay", values: { amount: { amount: "86.40", currency: "EUR" }, account: "Current" } },
  texts = {},
}: {
  statement?: object;
  content?: object;
  answer?: object;
  texts?: { otherText?: string; note?: string };
} = {}): SampleRequest {
  return {
    contents: [content as Record<string, unknown>],
    statement: {
      answers: [
        {
          approval: "apr_0123456789abcdefghijklmnopqrstuv",
          contentHash: serviceHash(content as Parameters<typeof serviceHash>[0]),
          ...answer,
          ...(texts.otherText !== undefined && { textHash: hashOf(texts.otherText) }),
          ...(texts.note !== undefined && { noteHash: hashOf(texts.note) }),
        },
      ],
      app: "app_4f2k9m",
      issuer: "https://yes.example.com",
      offeredAt: 1_796_000_000_000,
      owner: "own_1c8p",
      type: "countersign-answer",
      version: 1,
      ...statement,
    },
    texts: [texts],
  };
}

/** Returns a signing request as text, as the service writes it. */
export const requestText = (request: SampleRequest): string => canonicalJson(request);
