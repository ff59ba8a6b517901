import type { payment } from "@/lib/testing/sample-signing-request";

/*
 * Ways in which an altered signing page could lie about a payment. Each lie has the truth, as the
 * passkey would sign it, and the text that the page displays instead.
 */

type Content = Record<string, unknown> & typeof payment;

/** A lie of an altered signing page. */
export type AlteredDisplay = {
  lie: string;
  /** Changes the payment to the content that the passkey would sign. By default, it stays as it is. */
  truth?: (content: Content) => void;
  /** Changes the true content to the content that the page displays. */
  display: (content: Content) => void;
  answer?: { option?: string; values?: Record<string, unknown> };
  texts?: { otherText?: string; note?: string };
  /** Texts of the truth that the lens must show. */
  shows: string[];
  /** Texts of the lie that the lens must not show. */
  hides?: string[];
};

const setFact = (index: number, value: string) => (content: Content) => {
  content.facts[index] = { label: content.facts[index]?.label ?? "", value };
};
const values = (amount: string, account = "Current") => ({ amount: { amount, currency: "EUR" }, account });

export const alteredDisplays: readonly AlteredDisplay[] = [
  {
    lie: "a smaller amount",
    truth: setFact(0, "864.00 €"),
    display: setFact(0, "86.40 €"),
    shows: ["Amount\n864.00 €"],
    hides: ["Amount\n86.40 €"],
  },
  {
    lie: "another currency",
    truth: setFact(0, "86.40 BTC"),
    display: setFact(0, "86.40 €"),
    shows: ["Amount\n86.40 BTC"],
  },
  {
    lie: "another payee",
    truth: setFact(1, "Mallory, DE02 1203 0000 0000 2020 51"),
    display: setFact(1, "Harbour Bakery, GB33 BUKB 2020 1555 5555 55"),
    shows: ["Mallory, DE02 1203 0000 0000 2020 51"],
    hides: ["Harbour Bakery, GB33"],
  },
  {
    lie: "one changed digit of an account number",
    truth: setFact(1, "Harbour Bakery, GB33 BUKB 2020 1555 5555 56"),
    display: setFact(1, "Harbour Bakery, GB33 BUKB 2020 1555 5555 55"),
    shows: ["2020 1555 5555 56"],
    hides: ["2020 1555 5555 55"],
  },
  {
    lie: "another question",
    truth: (content) => (content.question = "Delete all invoices of Harbour Bakery?"),
    display: (content) => (content.question = "Pay invoice 7 of Harbour Bakery?"),
    shows: ["Delete all invoices of Harbour Bakery?"],
    hides: ["Pay invoice 7"],
  },
  {
    lie: "a missing fact",
    truth: (content) => content.facts.push({ label: "Repeats", value: "every day, forever" }),
    display: (content) => content.facts.splice(3),
    shows: ["Repeats\nevery day, forever"],
  },
  {
    lie: "an additional, calming fact",
    display: (content) => content.facts.push({ label: "Refundable", value: "Yes, for 30 days" }),
    shows: ["Due\n30 November"],
    hides: ["Refundable"],
  },
  {
    lie: "facts with exchanged labels",
    truth: (content) => (content.facts[2] = { label: "Fee", value: "500.00 €" }),
    display: (content) => (content.facts[2] = { label: "Limit", value: "500.00 €" }),
    shows: ["Fee\n500.00 €"],
    hides: ["Limit"],
  },
  {
    lie: "another order of options, so that the same place means another answer",
    truth: (content) => content.options.reverse(),
    display: (content) => content.options.reverse(),
    shows: ["Don’t pay\nAsk me again on Monday\nPay 86.40 € Your answer"],
  },
  {
    lie: "exchanged labels of two options",
    truth: (content) => {
      content.options = [
        { id: "keep", label: "Pay 86.40 €" },
        { id: "pay", label: "Don’t pay" },
      ];
    },
    display: (content) => {
      content.options = [
        { id: "keep", label: "Don’t pay" },
        { id: "pay", label: "Pay 86.40 €" },
      ];
    },
    answer: { option: "keep" },
    shows: ["Your answer\nPay 86.40 €"],
  },
  {
    lie: "a hidden third option that the owner would answer with",
    truth: (content) => content.options.push({ id: "all", label: "Pay all open invoices" }),
    display: (content) => content.options.splice(3),
    answer: { option: "all" },
    shows: ["Your answer\nPay all open invoices"],
  },
  {
    lie: "no warning on an option",
    truth: (content) => Object.assign(content.options[0] ?? {}, { note: "Can’t be undone." }),
    display: (content) => Object.assign(content.options[0] ?? {}, { note: "You can undo this.", style: "default" }),
    shows: ["Dangerous", "Can’t be undone."],
    hides: ["You can undo this."],
  },
  {
    lie: "a lower risk",
    display: (content) => Object.assign(content, { risk: "low" }),
    shows: ["The app rates the risk of this decision as high."],
  },
  {
    lie: "a smaller value than the one that the owner would allow",
    display: (content) => (content.fields.properties.amount.default = { amount: "8.64", currency: "EUR" }),
    answer: { option: "pay", values: values("100.00") },
    shows: ["You allow\n100.00 EUR"],
    hides: ["8.64 EUR"],
  },
  {
    lie: "another account than the one that the owner would allow",
    display: (content) => (content.fields.properties.account.enum = ["Current"]),
    answer: { option: "pay", values: values("86.40", "Savings") },
    shows: ["You allow\nSavings"],
  },
  {
    lie: "text hidden below empty lines",
    truth: (content) => (content.backgroundContext = `Short.${"\n".repeat(60)}Also pays all later invoices.`),
    display: (content) => (content.backgroundContext = "Short."),
    shows: ["60 line breaks", "Also pays all later invoices."],
  },
  {
    lie: "text hidden in Markdown",
    truth: (content) => (content.backgroundContext = "Fine. [](https://a.example 'and pays all later invoices')"),
    display: (content) => (content.backgroundContext = "Fine."),
    shows: ["and pays all later invoices"],
  },
  {
    lie: "an amount reordered by bidirectional controls",
    truth: setFact(0, "\u202E€ 04.68\u202C1"),
    display: setFact(0, "86.40 €"),
    shows: ["U+202E right-to-left override", "€ 04.68", "U+202C end of direction"],
  },
  {
    lie: "a payee written with look-alike letters",
    truth: setFact(1, "H\u0430rbour B\u0430kery"),
    display: setFact(1, "Harbour Bakery"),
    shows: ["U+0430 looks like a"],
  },
  {
    lie: "a name split by zero-width characters",
    truth: setFact(1, "Harbour\u200B Bakery\u200D"),
    display: setFact(1, "Harbour Bakery"),
    shows: ["U+200B zero-width space", "U+200D zero-width joiner"],
  },
  {
    lie: "a later deadline",
    truth: (content) => Object.assign(content, { expiresAt: Date.UTC(2026, 10, 28), defaultOptionId: "pay" }),
    display: (content) => Object.assign(content, { expiresAt: Date.UTC(2027, 10, 28), defaultOptionId: "keep" }),
    shows: ["2026", "If unanswered\nPay 86.40 €"],
    hides: ["2027"],
  },
  {
    lie: "a signature that doesn’t need a lens",
    truth: (content) => Object.assign(content, { signedByOwner: "in-lens" }),
    display: (content) => Object.assign(content, { signedByOwner: true }),
    shows: ["The app requires your passkey’s signature in a lens."],
  },
  {
    lie: "an addition that the page leaves out",
    truth: (content) =>
      Object.assign(content, {
        additions: [{ text: "Correction: the amount is 864.00 €.", createdAt: 1_796_000_000_000 }],
      }),
    display: (content) => delete (content as { additions?: unknown }).additions,
    shows: ["Correction: the amount is 864.00 €."],
  },
  {
    lie: "an answer in other words than the owner’s own",
    display: (content) => (content.question = "Pay invoice 7 of Harbour Bakery?"),
    answer: {},
    texts: { otherText: "Pay every invoice without asking", note: "Never ask again" },
    shows: ["Pay every invoice without asking", "Never ask again"],
  },
];
