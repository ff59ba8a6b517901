import { expect, expectTypeOf, it } from "vitest";
import { type Answer, type ApprovalRequest, Countersign, type FieldValue } from "./countersign";

/** Returns a client whose questions get this resolution. */
const answering = (values: object) =>
  new Countersign({
    baseUrl: "https://yes.example.com",
    token: "t",
    fetch: async () =>
      Response.json({
        id: "apr_a",
        status: "resolved",
        resolution: { kind: "option", optionId: "pay", resolvedBy: "owner", resolvedAt: 1, values },
      }),
  });
const options = [{ id: "pay", label: "Pay", fields: true }];

it("derives the types of an answer's values from the question's fields", async () => {
  const given = { amount: { amount: "80.00", currency: "EUR" }, lines: { rent: "approve" }, notify: ["mail"] };
  const { values } = await answering(given).ask({
    question: "Pay?",
    options,
    fields: {
      type: "object",
      properties: {
        amount: { type: "object", format: "money", currency: "EUR", default: { amount: "86.40", currency: "EUR" } },
        day: { type: "string", format: "date" },
        notify: { type: "array", items: { type: "string", enum: ["mail", "phone"] } },
        lines: { type: "object", format: "items", items: [{ id: "rent", label: "Rent" }] },
        account: { type: "string", oneOf: [{ const: "giro", title: "Giro" }] },
        rush: { type: "boolean" },
        count: { type: "integer", minimum: 1 },
      },
      required: ["amount"],
    },
  });
  expect(values).toEqual(given);
  if (!values) throw new Error("The answer has no values");
  expectTypeOf(values.amount).toEqualTypeOf<{ amount: string; currency: "EUR" }>();
  expectTypeOf(values.day).toEqualTypeOf<string | undefined>();
  expectTypeOf(values.notify).toEqualTypeOf<("mail" | "phone")[] | undefined>();
  expectTypeOf(values.lines).toEqualTypeOf<Record<"rent", "approve" | "reject"> | undefined>();
  expectTypeOf(values.account).toEqualTypeOf<"giro" | undefined>();
  expectTypeOf(values.rush).toEqualTypeOf<boolean | undefined>();
  expectTypeOf(values.count).toEqualTypeOf<number | undefined>();
});

it("accepts a question with unknown fields", async () => {
  const question: ApprovalRequest = { question: "Pay?", options };
  const answer = await answering({ day: "2026-12-01" }).ask(question);
  expectTypeOf(answer).toExtend<Answer>();
  expectTypeOf(answer.values?.day).toEqualTypeOf<FieldValue | undefined>();
  expect(answer.values?.day).toBe("2026-12-01");
});
