import { expect, test } from "vitest";
import { wordsFor } from "./unseen";

test.each([
  [["the background"], 0, "the background"],
  [["Addition 1"], 1, "1 addition"],
  [["Addition 2"], 2, "1 addition · newest: Addition 2"],
  [["the question", "Addition 3", "Addition 2"], 20, "the question, 2 additions"],
  [["the background", undefined], 0, "the background, this option"],
])("what was not seen in words: %j of %d", (ends, total, words) => {
  const marks = ends.map((end) => ({ dataset: (end === undefined ? {} : { end }) as DOMStringMap }));
  expect(wordsFor(marks, total)).toBe(words);
});
