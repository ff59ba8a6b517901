import { afterAll, expect, test } from "vitest";
import { allSections } from "@/lib/api/docs/page-sections";
import { configure, unset } from "@/lib/testing/change-settings";
import { searchSections } from "./search-sections";
import { synonyms } from "./search-synonyms";

const settings = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "https://ask.example" };
configure(settings);
afterAll(() => unset());

const sections = allSections();
const found = (typed: string) => searchSections(sections, typed).map(({ href }) => href);
const part = (heading: string, text: string) => ({ href: `/${heading}`, page: "Page", heading, text });

test.each([
  ["cors", "/docs/troubleshooting#blocked-by-cors-policy"],
  ["pagination", "/docs/calls#list"],
  ["next page", "/docs/calls#list"],
  ["sandbox", "/docs/not-included#a-sandbox-or-staging-mode"],
  ["staging", "/docs/not-included#a-sandbox-or-staging-mode"],
  ["simulate", "/docs/answers#test-an-agent-without-a-person"],
  ["docker", "/docs/deploy#image"],
  ["kubernetes", "/docs/deploy#kubernetes"],
  ["self-host", "/docs/operations"],
  ["self hosting", "/docs/operations"],
  ["self-hosted", "/docs/deploy"],
  ["self-hosting", "/docs/not-included#hosting"],
  ["attachments", "/docs/not-included#attachments"],
  ["file upload", "/docs/not-included#attachments"],
  ["csp", "/docs/security-settings"],
  ["quorum", "/docs/not-included#several-approvers-or-a-quorum"],
  ["snake", "/docs/not-included#snake_case-fields"],
  ["snake_case", "/docs/not-included#snake_case-fields"],
  ["slack", "/docs/owners#a-slack-bot"],
  ["cancel", "/docs/not-included#cancel-or-withdraw-a-question"],
  ["cancelling", "/docs/not-included#cancel-or-withdraw-a-question"],
  ["withdraw", "/docs/not-included#cancel-or-withdraw-a-question"],
  ["403", "/docs/troubleshooting#403-forbidden"],
  ["401", "/docs/troubleshooting#401-unauthorized"],
  ["connection refused", "/docs/troubleshooting#connection-refused"],
  ["email not sent", "/docs/troubleshooting#emails-are-not-sent"],
  ["localhost webhook", "/docs/troubleshooting#a-webhook-to-localhost-is-refused"],
  ["ALLOW_PRIVATE_FETCH", "/docs/webhooks#allow-a-receiver-on-your-own-machine"],
  ["client_credentials", "/docs/not-included#client_credentials"],
  ["userinfo", "/docs/not-included#userinfo-and-id-tokens"],
  ["sso", "/docs/not-included#single-sign-on-saml-and-scim"],
  ["idempotency", "/docs/troubleshooting#422-idempotency-key-conflict"],
  ["webhook", "/docs/webhooks"],
  ["webhook secret", "/docs/webhooks#secrets"],
  ["webhook del", "/docs/webhooks#delivery"],
  ["backup", "/docs/backup"],
  ["prometheus", "/docs/monitoring#prometheus"],
  ["pkce", "/docs/oauth#simple-oauth2"],
  ["polling", "/docs/answers#wait-instead-of-polling"],
  ["rate limit", "/docs/troubleshooting#429-too-many-requests"],
  ["sse", "/docs/answers#events"],
  ["facts", "/docs/answers#show-the-facts"],
  ["number matching", "/docs/answers#ask-for-a-number"],
])("finds “%s” at %s", (typed, href) => {
  expect(found(typed).slice(0, 4)).toContain(href);
});

test.each([
  ["webhok", "/docs/webhooks"],
  ["receit", "/docs/receipts"],
  ["idempotancy", "/docs/troubleshooting#422-idempotency-key-conflict"],
  ["kuberntes", "/docs/deploy#kubernetes"],
])("finds a page despite the typo “%s”", (typed, href) => {
  expect(found(typed)).toContain(href);
});

test("defines only synonyms that match a page", () => {
  for (const [word, others] of Object.entries(synonyms)) {
    expect([word, /^[a-z]+8?$/.test(word)]).toEqual([word, true]);
    for (const other of others) expect([other, found(other).length > 0]).toEqual([other, true]);
  }
});

test("returns no results for unknown words or an empty query", () => {
  expect(found("delete prod xyzzy")).toEqual([]);
  expect(found("  ")).toEqual([]);
  expect(found("(")).toEqual([]);
  expect(found("constructor __proto__ xyzzy")).toEqual([]);
});

test("ranks whole words above longer words with the same prefix", () => {
  const some = [
    part("JavaScript", "JavaScript and javascripts"),
    part("Packages", "None for Java."),
    part("Javas", "Both of them"),
    part("Other", "Nothing"),
  ];
  expect(searchSections(some, "java").map(({ heading }) => heading)).toEqual(["Javas", "Packages", "JavaScript"]);
});

test("finds a word inside a field name", () => {
  const some = [part("List", "A page has nextCursor."), part("Other", "Nothing")];
  for (const typed of ["nextCursor", "nextcursor", "cursor"])
    expect(searchSections(some, typed).map(({ heading }) => heading)).toEqual(["List"]);
});

test("shows the text around the first match", () => {
  const excerpt = (text: string, typed: string) => searchSections([part("Heading", text)], typed)[0]?.around;
  const text = `${"before ".repeat(30)}needle ${"after ".repeat(60)}`;
  expect(excerpt(text, "Needle")).toMatch(/^… .*needle .* …$/);
  expect(excerpt(`${"and ".repeat(60)}Java at last`, "javas")).toMatch(/ Java at last$/);
  expect(excerpt(`${"before ".repeat(30)}nextCursor`, "pagination")).toMatch(/ nextCursor$/);
  expect(excerpt(text, "heading")).toMatch(/^before .* …$/);
});
