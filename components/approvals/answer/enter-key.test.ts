import { expect, test } from "vitest";
import { enterSends } from "./enter-key";

const field = (name: string, modified: boolean) => ({ name, modified, onChosen: false });

test("submits from any text field on Enter with a modifier key", () => {
  expect(enterSends(field("otherText", true), false)).toBe("own words");
  expect(enterSends(field("question", true), false)).toBe("question");
  expect(enterSends(field("note", true), true)).toBe("choice");
});

test("does not submit a note without a selected option", () => {
  expect(enterSends(field("note", true), false)).toBeUndefined();
});

test("inserts a line break in a text field on Enter without a modifier key", () => {
  for (const name of ["otherText", "note", "question"]) expect(enterSends(field(name, false), true)).toBeUndefined();
});

test("submits a focused, selected option on Enter without a modifier key", () => {
  const option = { name: "optionId", onChosen: true };
  expect(enterSends({ ...option, modified: false }, true)).toBe("choice");
  expect(enterSends({ ...option, modified: true }, true)).toBeUndefined();
});
