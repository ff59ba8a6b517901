import { describe, expect, it } from "vitest";
import { redirectAllowed, redirectHost, redirectKind, redirectProblem } from "./redirect-uris";

describe("redirect URIs", () => {
  it.each([
    ["https://app.example/callback", "https", "app.example"],
    ["https://app.example", "https", "app.example"],
    ["https://app.example:8443/cb?tenant=1", "https", "app.example:8443"],
    ["https://xn--mnchen-3ya.example/", "https", "xn--mnchen-3ya.example"],
    ["http://localhost/callback", "loopback", "localhost"],
    ["http://127.0.0.1:33418/", "loopback", "127.0.0.1:33418"],
    ["http://[::1]:9/cb", "loopback", "[::1]:9"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "private", "cursor:"],
    ["com.example.app:/oauth", "private", "com.example.app:"],
  ] as const)("accepts the redirect URI %s", (uri, kind, host) => {
    expect(redirectProblem(uri)).toBeUndefined();
    expect(redirectKind(uri)).toBe(kind);
    expect(redirectHost(uri)).toBe(host);
  });

  it.each([
    "",
    "/callback",
    "app.example/callback",
    "http://app.example/callback",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "http://127.1/",
    "https://10.0.0.1/cb",
    "https://0x7f000001/cb",
    "https://[2001:db8::1]/cb",
    "https://app.example/cb#",
    "https://app.example/cb#x",
    "https://good.example@evil.example/",
    "https://@app.example/",
    "https://*.app.example/cb",
    "https://app.example/*",
    "https://app.example./cb",
    "https://APP.example/cb",
    "https://app.example:443/cb",
    "https://app.example/a/../cb",
    "https://app.example/%2e%2e/cb",
    "https://pаypal.example/cb",
    "https://app.example\\@evil.example/",
    "https://app.example/a b",
    " https://app.example/cb",
    "https://app.example/cb\n",
    "https://app.example/cb?code=1",
    "https://app.example/cb?iss=1",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ftp://app.example/",
    "myapp:/cb",
  ])("rejects the redirect URI %j", (uri) => expect(redirectProblem(uri)).toEqual(expect.any(String)));

  it("rejects redirect URIs longer than 2,000 characters", () =>
    expect(redirectProblem(`https://app.example/${"x".repeat(1981)}`)).toContain("2,000"));

  it.each([
    ["accepts", "https://app.example/cb", "https://app.example/cb"],
    ["rejects", "https://app.example:8443/cb", "https://app.example/cb"],
    ["rejects", "http://app.example/cb", "https://app.example/cb"],
    ["rejects", "https://app.example/cb/x", "https://app.example/cb"],
    ["rejects", "https://app.example/cb/", "https://app.example/cb"],
    ["rejects", "https://app.example/cb?x=1", "https://app.example/cb"],
    ["rejects", "https://app.example/cb#f", "https://app.example/cb"],
    ["rejects", "https://u@app.example/cb", "https://app.example/cb"],
    ["rejects", "https://APP.example/cb", "https://app.example/cb"],
    ["rejects", "https://app.example/x/../cb", "https://app.example/cb"],
    ["accepts", "http://127.0.0.1:50123/callback", "http://127.0.0.1/callback"],
    ["accepts", "http://127.0.0.1:50123/callback", "http://127.0.0.1:1/callback"],
    ["rejects", "http://127.0.0.1:50123/callback/x", "http://127.0.0.1/callback"],
    ["rejects", "http://127.0.0.1:50123/callback?x=1", "http://127.0.0.1/callback"],
    ["rejects", "http://localhost:50123/callback", "http://127.0.0.1/callback"],
    ["rejects", "http://127.0.0.1.evil.example/callback", "http://127.0.0.1/callback"],
    ["rejects", "http://127.0.0.1:1@evil.example/callback", "http://127.0.0.1/callback"],
    ["accepts", "http://[::1]:7/cb", "http://[::1]/cb"],
    ["accepts", "http://localhost:3118/callback", "http://localhost/callback"],
    ["rejects", "http://localhost:3118/callback", "http://localhost:3000/callback"],
    ["rejects", "cursor://a:1/cb", "cursor://a/cb"],
  ])("%s the redirect URI %s for the registered URI %s", (verdict, asked, registered) =>
    expect(redirectAllowed([registered], asked)).toBe(verdict === "accepts"),
  );
});
