import { afterEach, expect, test } from "vitest";
import { GET } from "@/app/.well-known/security.txt/route";
import { readSettings } from "@/lib/config/env";
import { configure, unset } from "@/lib/testing/change-settings";
import { securityTxt } from "./security-txt";

const given = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "https://yes.example.com" };
const set = (changes: Record<string, string> = {}) => configure({ ...given, ...changes });
afterEach(() => unset());

test("includes the fields that RFC 9116 requires", () => {
  set({ SECURITY_CONTACT: "mailto:security@example.com" });
  expect(securityTxt(new Date("2026-11-22T13:05:06.789Z"))).toBe(
    `Contact: mailto:security@example.com
Expires: 2027-11-21T00:00:00Z
Preferred-Languages: en
Canonical: https://yes.example.com/.well-known/security.txt
`,
  );
  expect(securityTxt(new Date("2028-02-29T23:59:59Z"))).toContain("Expires: 2029-02-28T00:00:00Z");
});

test("links to the security page by default", () => {
  set();
  expect(securityTxt()).toMatch(/^Contact: https:\/\/yes\.example\.com\/docs#security\n/);
});

test("serves security.txt as plain text", async () => {
  set();
  const reply = GET();
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(await reply.text()).toBe(securityTxt());
});

test.each(["security@example.com", "http://example.com/report", "mailto:", "mailto:a@b\nContact: x", "javascript:x"])(
  "rejects SECURITY_CONTACT=%j",
  (SECURITY_CONTACT) => {
    expect(() => readSettings({ NODE_ENV: "test", SECURITY_CONTACT })).toThrow(
      "SECURITY_CONTACT must be a mailto: or https: address, like mailto:security@example.com.",
    );
  },
);
