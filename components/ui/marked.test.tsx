import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Marked } from "./marked";

const marks = (text: string, words: string | undefined) =>
  renderToStaticMarkup(<Marked text={text} words={words} />).replace(/<mark[^>]*>(.*?)<\/mark>/g, "[$1]");

test("marks each word of a search, in any case", () => {
  expect(marks("Pay the baker?", "BAKER pay")).toBe("[Pay] the [baker]?");
  expect(marks("Größe (a+b)", "größe a+b")).toBe("[Größe] ([a+b])");
});

test("marks the longest word where several match", () => {
  expect(marks("shipping", "ship shipping")).toBe("[shipping]");
});

test("leaves a text as it is without a search", () => {
  expect(marks("Pay?", undefined)).toBe("Pay?");
  expect(marks("Pay?", "  ")).toBe("Pay?");
});
