import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FreshForms } from "./sign-in-again";

test.each([
  ["takes nothing without a fresh sign-in", false],
  ["can be filled in with one", true],
])("a form %s", (_, fresh) => {
  const html = renderToStaticMarkup(
    <FreshForms fresh={fresh}>
      <input name="days" />
    </FreshForms>,
  );
  expect(html).toContain('<input name="days"/></fieldset>');
  expect(/^<fieldset[^>]* disabled=""/.test(html)).toBe(!fresh);
});
