import { expect, test } from "vitest";
import { enterSends } from "./enter-key";

const field = (name: string, modified: boolean) => ({ name, modified, onChosen: false });

test("sends the field that it is in with a modifier", () => {
  expect(enterSends(field("otherText", true), false)).toBe("own words");
  expect(enterSends(field("question", true), false)).toBe("question");
  expect(enterSends(field("note", true), true)).toBe("choice");
});

test("sends no note without a chosen option", () => {
  expect(enterSends(field("note", true), false)).toBeUndefined();
});

test("starts a new line without a modifier", () => {
  for (const name of ["otherText", "note", "question"]) expect(enterSends(field(name, false), true)).toBeUndefined();
});

test("sends the chosen option on its button, and leaves other modified keys to the browser", () => {
  const option = { name: "optionId", onChosen: true };
  expect(enterSends({ ...option, modified: false }, true)).toBe("choice");
  expect(enterSends({ ...option, modified: true }, true)).toBeUndefined();
});
