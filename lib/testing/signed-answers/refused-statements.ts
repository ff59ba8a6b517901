import { canonicalJson } from "@/lib/client/canonical-json";
import { content, entryOf, hashed, paid, statementOf, vector } from "./signing-devices";
import type { Vector } from "./vectors";

const usual = canonicalJson(statementOf([entryOf(paid)]));
const ownWords = { otherText: "Pay half" };
const other = "sha256:".padEnd(71, "0");
const notCanonical = "the signed statement is not canonical JSON";
const malformed = "the signed statement is malformed";
const notOnce = "the signed statement does not have this approval exactly once";
const differs = (name: string, from = "answer") => `the signed statement's ${name} does not match the ${from}`;

/** The statements are validly signed, so that only one check can reject each vector. */
const wrongForms = (): Vector[] => [
  vector("a statement with a space", { statement: usual.replace(",", ", "), refused: notCanonical }),
  vector("a statement with a line break at the end", { statement: `${usual}\n`, refused: notCanonical }),
  vector("a statement with another order", {
    statement: JSON.stringify(statementOf([entryOf(paid)])),
    refused: notCanonical,
  }),
  vector("a statement with a repeated member", {
    statement: usual.replace('"owner":"own_1"', '"owner":"own_2","owner":"own_1"'),
    refused: notCanonical,
  }),
  vector("a statement with another form of a number", {
    statement: usual.replace('"version":1', '"version":1.0'),
    refused: notCanonical,
  }),
  vector("a statement with an escaped letter", {
    statement: usual.replace("own_1", "\\u006fwn_1"),
    refused: notCanonical,
  }),
  vector("a statement with an unpaired surrogate", {
    statement: usual.replace("own_1", "own_\\ud800"),
    refused: notCanonical,
  }),
  vector("a statement with a raw control character", {
    statement: usual.replace("own_1", "own_\u0000"),
    refused: notCanonical,
  }),
  // Go reads the surrogate as U+FFFD.
  vector("a statement with a raw surrogate", {
    statement: usual.replace("own_1", "own_\ud800"),
    refused: "the signed statement",
    assertion: undefined,
  }),
  vector("a statement that is not JSON", { statement: usual.slice(1), refused: notCanonical }),
  vector("an empty statement", { statement: "", refused: notCanonical }),
  vector("a statement that is a list", { statement: `[${usual}]`, refused: notCanonical }),
  vector("a statement that is null", { statement: "null", refused: notCanonical }),
  vector("a deeply nested statement", {
    statement: `${"[".repeat(3000)}${"]".repeat(3000)}`,
    refused: notCanonical,
  }),
  ...["another", undefined, null].map((type) =>
    vector(`the type ${type}`, {
      statement: { type },
      refused: "the signed statement's type is not countersign-answer",
    }),
  ),
  ...[2, true, "1", undefined].map((version) =>
    vector(`the version ${JSON.stringify(version)}`, {
      statement: { version },
      refused: "the signed statement's version is not supported",
    }),
  ),
  ...[
    { extra: 1 },
    { OWNER: "own_1" },
    { offeredAt: undefined },
    { offeredAt: "1" },
    { offeredAt: 1.5 },
    { offeredAt: true },
  ]
    .concat([{ answers: {} }, { answers: [null] }, { answers: [entryOf(paid), 1] }, { answers: null }] as never)
    .map((members) =>
      vector(`a statement with ${JSON.stringify(members)}`, { statement: members, refused: malformed }),
    ),
];

const wrongValues = (): Vector[] => [
  ...(["issuer", "owner", "app"] as const).flatMap((name) =>
    [`${name}_2`, null, ""].map((value) =>
      vector(`the ${name} ${JSON.stringify(value)}`, {
        statement: { [name]: value },
        refused: differs(name, "expected value"),
      }),
    ),
  ),
  vector("no answers", { statement: { answers: [] }, refused: notOnce }),
  vector("another approval", { entry: { approval: "apr_2" }, refused: notOnce }),
  vector("an approval twice", {
    statement: { answers: [entryOf(paid), entryOf({ optionId: "keep" })] },
    refused: notOnce,
  }),
  vector("another content hash", { entry: { contentHash: other }, refused: differs("contentHash", "expected value") }),
  vector("no content hash", { entry: { contentHash: undefined }, refused: differs("contentHash", "expected value") }),
  ...Object.entries({
    question: { question: "Pay invoice 8?" },
    fact: { facts: [{ label: "Amount", value: "86.41 €" }] },
    risk: { risk: "low" },
    "requirement of a signature": { signedByOwner: "when-possible" },
  }).map(([what, change]) =>
    vector(`content with another ${what}`, {
      checks: { content: { ...content, ...change } },
      refused: differs("contentHash", "expected value"),
    }),
  ),
  ...[
    { extra: 1 },
    { OPTION: "pay" },
    { textHash: hashed("x") },
    { option: undefined },
    { option: undefined, textHash: undefined },
  ].map((entry) => vector(`an entry with ${JSON.stringify(Object.keys(entry))}`, { entry, refused: malformed })),
];

const alteredAnswers = (): Vector[] => [
  vector("an answer by the app", { altered: { resolvedBy: "api" }, refused: "the owner did not give this answer" }),
  vector("an answer without a signature", {
    altered: { signature: undefined },
    refused: "the answer has no signature of a passkey",
  }),
  vector("an altered option", { altered: { optionId: "keep" }, refused: differs("option") }),
  vector("an option instead of own words", {
    answer: ownWords,
    altered: { kind: "option", optionId: "pay", otherText: undefined },
    refused: differs("option"),
  }),
  vector("own words instead of an option", {
    altered: { kind: "other", optionId: undefined, otherText: "pay" },
    refused: differs("option"),
  }),
  vector("own words in addition to an option", {
    altered: { otherText: "Pay double" },
    refused: "the answer has an option and a text, but only one of them is signed",
  }),
  vector("an option in addition to own words", {
    answer: ownWords,
    altered: { optionId: "pay" },
    refused: "the answer has an option and a text, but only one of them is signed",
  }),
  vector("altered own words", {
    answer: ownWords,
    altered: { otherText: "Pay half " },
    refused: differs("textHash"),
  }),
  vector("own words of another kind", { answer: ownWords, altered: { kind: "text" }, refused: differs("textHash") }),
  vector("removed own words", { answer: ownWords, altered: { otherText: "" }, refused: differs("textHash") }),
  vector("empty own words", {
    answer: { otherText: "" },
    altered: { otherText: undefined },
    refused: differs("textHash"),
  }),
  vector("a removed option", { altered: { optionId: null }, refused: differs("option") }),
  ...Object.entries({
    "an altered value": { ...paid.values, rate: 0.51 },
    "an altered amount": { ...paid.values, amount: { amount: "864.0", currency: "EUR" } },
    "a value of another type": { ...paid.values, rate: "0.5" },
    "a missing value": { amount: paid.values.amount },
    "a value with a surrogate": { ...paid.values, rate: "\ud800" },
    "an added value": { ...paid.values, express: true },
    "no values": undefined,
  }).map(([name, values]) => vector(name, { altered: { values }, refused: differs("values") })),
  vector("added values", {
    answer: { optionId: "keep" },
    altered: { values: {} },
    refused: differs("values"),
  }),
  vector("an altered note", { altered: { note: `${paid.note}.` }, refused: differs("noteHash") }),
  vector("a removed note", { altered: { note: undefined }, refused: differs("noteHash") }),
  vector("an added note", { answer: { optionId: "keep" }, altered: { note: "Now" }, refused: differs("noteHash") }),
  vector("a null note hash", { answer: { optionId: "keep" }, entry: { noteHash: null }, refused: differs("noteHash") }),
  vector("null values", { answer: { optionId: "keep" }, entry: { values: null }, refused: differs("values") }),
];

/** Returns answers whose statements or resolutions do not match what a verifier expects. */
export const refusedStatements = (): Vector[] => [...wrongForms(), ...wrongValues(), ...alteredAnswers()];
