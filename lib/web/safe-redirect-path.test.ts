import { expect, it } from "vitest";
import { localPath } from "./safe-redirect-path";

it.each(["/approvals", "/approvals/apr_1?x=1#top", "/consent/con_1", "/", "/a?next=//evil.example"])(
  "accepts the local path %s",
  (path) => expect(localPath(path)).toBe(path),
);

it.each([
  "",
  "approvals",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "%2f%2fevil.example",
  "/%2f%2fevil.example",
  "/%5cevil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/\t/evil.example",
  "/\n//evil.example",
  " //evil.example",
  "/a\r\nSet-Cookie: x=1",
])("returns the home page instead of %j", (path) => expect(localPath(path)).toBe("/approvals"));
