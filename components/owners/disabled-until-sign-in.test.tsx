import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { FreshForms } from "./disabled-until-sign-in";

test.each([
  ["disables a form until the owner signs in again", false],
  ["enables a form after a recent sign-in", true],
])("%s", (_, fresh) => {
  const html = renderToStaticMarkup(
    <FreshForms fresh={fresh}>
      <input name="days" />
    </FreshForms>,
  );
  expect(html).toContain('<input name="days"/></fieldset>');
  expect(/^<fieldset[^>]* disabled=""/.test(html)).toBe(!fresh);
});
