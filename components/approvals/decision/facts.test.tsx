import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Facts, isAmount } from "./facts";

const html = (...facts: [string, string][]) =>
  renderToStaticMarkup(<Facts facts={facts.map(([label, value]) => ({ label, value }))} />);

test("lists facts in the app's order", () => {
  const shown = html(["To", "Ada"], ["To", "Bob"]);
  expect(shown).toMatch(/^<dl .*<\/dl>$/);
  expect(shown.replace(/<dt|<dd/g, " $&").replace(/<[^>]*>/g, "")).toBe(" To Ada To Bob");
  expect(shown).not.toContain("text-lg");
});

test("renders nothing for a question without facts", () => {
  expect(renderToStaticMarkup(<Facts />)).toBe("");
  expect(html()).toBe("");
});

test("shows the default option as the last row", () => {
  const shown = renderToStaticMarkup(<Facts facts={[{ label: "To", value: "Ada" }]} otherwise="Wait" />);
  expect(shown.replace(/<dt|<dd/g, " $&").replace(/<[^>]*>/g, "")).toBe(" To Ada If unanswered Wait");
});

test("escapes HTML in labels and values", () => {
  expect(html(["<b>", "</dd><script>"])).not.toMatch(/<b>|<script>/);
});

test("enlarges an amount only in the first row", () => {
  expect(html(["Amount", "86.40 €"], ["Fee", "1 €"]).match(/text-lg/g)).toHaveLength(1);
  expect(html(["To", "Ada"], ["Amount", "86.40 €"])).not.toContain("text-lg");
});

test.each(["86.40 €", "$1,200", "EUR 5", "5 EUR", "US$ 3", "-€5", "1 200,50 €", "CHF 1’000", "¥500", "−$2"])(
  "recognizes %s as an amount",
  (value) => {
    expect(isAmount(value)).toBe(true);
  },
);
test.each(["418", "build 418", "5 apples", "$", "EUR", "86.40", "Ada €5", "5 eur", "€5 per month", ""])(
  "does not recognize %j as an amount",
  (value) => {
    expect(isAmount(value)).toBe(false);
  },
);

test("classifies a very long text without timing out", () => {
  expect(isAmount(`${"1 ".repeat(100_000)}x`)).toBe(false);
});
