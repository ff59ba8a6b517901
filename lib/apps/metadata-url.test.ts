import { afterEach, expect, it } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { isMetadataUrl, metadataUrlProblem } from "./metadata-url";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});
afterEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
});

it.each([
  "https://claude.ai/oauth/mcp-oauth-client-metadata",
  "https://vscode.dev/oauth/client-metadata.json",
  "https://app.example:8443/client",
  "https://app.example/client?version=2",
  "https://xn--mnchen-3ya.example/client",
])("accepts %s as a client_id", (url) => {
  expect(isMetadataUrl(url)).toBe(true);
  expect(metadataUrlProblem(url)).toBeUndefined();
});

it.each([
  ...["http://app.example/client", "https://app.example", "https://app.example/", "https://app.example/?x", "https://"],
  ...["https://app.example/a/../client", "https://app.example/./client", "https://app.example/%2e%2e/client"],
  ...["https://app.example/client#", "https://app.example/client#x", "https://u@app.example/client"],
  ...["https://:p@app.example/client", "https://@app.example/client", "https://app.example:443/client"],
  ...[
    "HTTPS://app.example/client",
    "https://APP.example/client",
    "https:\\\\app.example\\client",
    "https://app.example./client",
  ],
  ...["https://127.0.0.1/client", "https://127.1/client", "https://8.8.8.8/client", "https://[::1]/client"],
  ...[
    "https://localhost/client",
    "https://intranet/client",
    "https://münchen.example/client",
    "https://a&b.example/client",
  ],
  ...["https://app.example/a b", " https://app.example/client", `https://app.example/${"x".repeat(1000)}`],
])("rejects %j as a client_id", (url) => expect(metadataUrlProblem(url)).toEqual(expect.any(String)));

it.each(["app_0123", "", "urn:x", "ftp://app.example/x"])("does not treat %j as a metadata URL", (id) =>
  expect(isMetadataUrl(id)).toBe(false),
);

it("requires a path even in a URL with an exempt origin", () => {
  configure({ ALLOW_PRIVATE_FETCH: "http://127.0.0.1:8080" });
  expect(metadataUrlProblem("http://127.0.0.1:8080/client")).toBeUndefined();
  expect(metadataUrlProblem("http://127.0.0.1:8080/")).toContain("path");
  expect(metadataUrlProblem("http://127.0.0.1:8081/client")).toContain("https");
});
