import { expect, it } from "vitest";
import { Rules, type SimulatedQuestion, simulate } from "./simulated-owner";

const asked: SimulatedQuestion = {
  id: "apr_a",
  clientId: "app_a",
  app: "Deploy bot",
  question: "Ship build 418\nto production?",
  seen: "",
  risk: "high",
  options: [
    { id: "ship", label: "Ship" },
    { id: "wait", label: "Wait" },
  ],
};
const by = (...rules: object[]) => simulate(Rules.parse({ rules }).rules, asked, () => 0.5);
const chose = (optionId: string, rule = 1) => ({
  answer: { kind: "option", optionId, note: `Simulated: rule ${rule}` },
  delayMs: 0,
  rule,
});

it.each([
  ["with an option by ID", [{ answer: { option: "wait" } }], chose("wait")],
  ["with an option by position", [{ answer: { option: 2 } }], chose("wait")],
  [
    "by the first matching rule",
    [{ app: "Other", answer: { option: 1 } }, { answer: { option: 2 } }],
    chose("wait", 2),
  ],
  ["questions from an app with a given name", [{ app: "Deploy bot", answer: { option: 1 } }], chose("ship")],
  ["questions from an app with a given ID", [{ app: "app_a", answer: { option: 1 } }], chose("ship")],
  [
    "questions that match a pattern regardless of case",
    [{ question: "BUILD \\d+\\s+to", answer: { option: 1 } }],
    chose("ship"),
  ],
  [
    "questions that offer a given option",
    [
      { offers: "no", answer: { option: 1 } },
      { offers: "wait", answer: { option: 1 } },
    ],
    chose("ship", 2),
  ],
  [
    "questions with a given risk",
    [
      { risk: "low", answer: { option: 1 } },
      { risk: "high", answer: { option: 2 } },
    ],
    chose("wait", 2),
  ],
  [
    "by the next rule if the question lacks the option",
    [{ answer: { option: "no" } }, { answer: { option: 3 } }, { answer: { option: 1 } }],
    chose("ship", 3),
  ],
  [
    "with a given probability",
    [
      { probability: 0.5, answer: { option: 1 } },
      { probability: 0.51, answer: { option: 2 } },
    ],
    chose("wait", 2),
  ],
  [
    "with a note and a delay",
    [{ answer: { option: 1, note: "Fine" }, delayMs: 50 }],
    { answer: { kind: "option", optionId: "ship", note: "Simulated: rule 1. Fine" }, delayMs: 50, rule: 1 },
  ],
  [
    "with a written answer",
    [{ answer: { other: "Ask Kim" } }],
    { answer: { kind: "other", otherText: "Ask Kim", note: "Simulated: rule 1" }, delayMs: 0, rule: 1 },
  ],
  ["no question if the matching rule requires no answer", [{ answer: "none" }, { answer: { option: 1 } }], undefined],
  ["no question if no rule matches", [{ question: "^Delete", answer: { option: 1 } }], undefined],
])("answers %s", (_, rules, expected) => expect(by(...rules)).toEqual(expected));

it("answers with the rule's values and the fields' defaults for the others", () => {
  const amount = { amount: "86.40", currency: "EUR" };
  const invoice: SimulatedQuestion = {
    ...asked,
    options: [
      { id: "pay", label: "Pay", fields: true },
      { id: "no", label: "No" },
    ],
    fields: {
      type: "object",
      properties: {
        amount: { type: "object", format: "money", currency: "EUR", default: amount },
        when: { type: "string", format: "date" },
      },
    },
  };
  const values = (answer: object) => simulate(Rules.parse({ rules: [{ answer }] }).rules, invoice)?.answer.values;
  expect(values({ option: "pay" })).toEqual({ amount });
  expect(values({ option: "pay", values: { when: "2026-12-01" } })).toEqual({ amount, when: "2026-12-01" });
  const less = { amount: "80.00", currency: "EUR" };
  expect(values({ option: 1, values: { amount: less } })).toEqual({ amount: less });
  expect(values({ option: "no" })).toBeUndefined();
});

it.each([
  [{ rules: [] }],
  [{ rules: [{ question: "(", answer: { option: 1 } }] }],
  [{ rules: [{ answer: { option: 0 } }] }],
  [{ rules: [{ answer: { option: 1, other: "x" } }] }],
  [{ rules: [{ answer: { option: 1 }, when: "now" }] }],
  [{ rules: [{ answer: { option: 1 }, probability: 2 }] }],
  [{}],
])("rejects the rules %j", (rules) => expect(Rules.safeParse(rules).success).toBe(false));
