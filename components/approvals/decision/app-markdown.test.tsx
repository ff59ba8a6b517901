import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { AppMarkdown } from "./app-markdown";
import { isTooComplex } from "./markdown-complexity";

const of20000 = (unit: string) => unit.repeat(20_000 / unit.length);
const shown = (text: string) => renderToStaticMarkup(<AppMarkdown text={text} />);

test("caches the HTML of recently rendered Markdown", () => {
  const first = AppMarkdown({ text: "**Once**" });
  expect(AppMarkdown({ text: "**Once**" })).toBe(first);
  for (let at = 0; at < 10; at++) AppMarkdown({ text: `${at}${"x".repeat(19_000)}` });
  expect(AppMarkdown({ text: "**Once**" })).toBe(first);
  for (let at = 0; at < 11; at++) AppMarkdown({ text: `${at}${"y".repeat(19_999)}` });
  expect(AppMarkdown({ text: "**Once**" })).not.toBe(first);
});

describe("plain-text fallback for costly Markdown", () => {
  const units = [
    "- ",
    "> ",
    ">",
    "1. ",
    "> - ",
    "*a **a ",
    "**",
    "_a *",
    "*_",
    "![",
    "[a](",
    "]",
    "`<!--",
    "[^a]:",
    ">\n\n",
  ];
  test.each(units)("renders many repetitions of %j as plain text", (unit) => {
    const text = of20000(unit);
    expect(isTooComplex(text)).toBe(true);
    expect(shown(text)).not.toMatch(/<(?!\/?(div|p)\b)/);
  });

  test("renders a wide table with many rows as plain text", () => {
    expect(isTooComplex(`|${"a|".repeat(1000)}\n|${"-|".repeat(1000)}\n${"|\n".repeat(1900)}`)).toBe(true);
  });

  test("renders many unclosed emphasis markers between nonbreaking-space lines as plain text", () => {
    expect(isTooComplex(of20000("*a *a *a *a *a\n\u00a0\n"))).toBe(true);
  });
});

test.each([
  ["# a\n## b\n# c", ["h3", "h4", "h3"]],
  ["## a\n#### b\n##### c\n### d", ["h3", "h4", "h5", "h4"]],
  ["###### a\n# b\n#### c", ["h3", "h3", "h4"]],
  ["# a\n## b\n### c\n#### d\n##### e", ["h3", "h4", "h5", "h6", "h6"]],
])("ranks an app's headings below the page's own headings: %j", (text, ranks) => {
  expect([...shown(text).matchAll(/<(h\d)/g)].map(([, rank]) => rank)).toEqual(ranks);
});

test("renders quotes nested deeper than 20 levels as plain text", () => {
  expect(shown(`${"> ".repeat(20)}a`).match(/<blockquote>/g)).toHaveLength(20);
  expect(shown(`${"> ".repeat(21)}a`)).not.toContain("<blockquote>");
  expect(shown(`${"*a _a ".repeat(240)}x${" a_ a*".repeat(240)}`)).toContain("<em>");
});

const lines = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
test.each([
  ["a list", "<ul>", lines(300, (at) => `- **Step ${at}**: run \`deploy_all\` as [said](https://a.example)`)],
  ["a table", "<table>", ["| Region | Now | Then |", "|---|---|---|", ...lines(200, () => "| eu_west | *2* | 3 |")]],
  ["code", "<pre", ["```", ...lines(200, (at) => `const some_long_name_${at} = rows[${at}] * 2;`), "```"]],
  ["prose", "<em>", [of20000("A sentence of *some* words, and one more.\n\n")]],
])("renders Markdown with %s as HTML", (_, element, text) => {
  expect(shown(text.join("\n"))).toContain(element);
});
