import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { HighlightMatches } from "./highlight-matches";

const marks = (text: string, words: string | undefined) =>
  renderToStaticMarkup(<HighlightMatches text={text} words={words} />).replace(/<mark[^>]*>(.*?)<\/mark>/g, "[$1]");

test("marks each search word in a text regardless of case", () => {
  expect(marks("Pay the baker?", "BAKER pay")).toBe("[Pay] the [baker]?");
  expect(marks("Größe (a+b)", "größe a+b")).toBe("[Größe] ([a+b])");
});

test("marks the longest of several matching search words", () => {
  expect(marks("shipping", "ship shipping")).toBe("[shipping]");
});

test("leaves text unchanged if there is no search", () => {
  expect(marks("Pay?", undefined)).toBe("Pay?");
  expect(marks("Pay?", "  ")).toBe("Pay?");
});
