import { expect, test } from "vitest";
import { requestInFragment, requestInText, requestLink } from "./request-link";

const request = '{"question":"Grüße 🙂?"}';

test("carries a request in the part of a link that browsers send to no server", () => {
  const link = requestLink("https://lens.example.com/", request);
  expect(link).toMatch(/^https:\/\/lens\.example\.com\/#request=[A-Za-z0-9_-]+$/);
  expect(requestInFragment(new URL(link).hash)).toBe(request);
});

test.each(["", "#", "#request=", "#request=not+base64!", "#other=abc"])("finds no request in %j", (fragment) => {
  expect(requestInFragment(fragment)).toBeUndefined();
});

test("reads a request from a link, or from the text itself", () => {
  expect(requestInText(` ${requestLink("file:///lens.html", request)}\n`)).toBe(request);
  expect(requestInText(`\n${request} `)).toBe(request);
  expect(requestInText('{"question":"https://a.example/#request=e30"}')).toBe(
    '{"question":"https://a.example/#request=e30"}',
  );
});
