import { afterEach, expect, test } from "vitest";
import { GET } from "@/app/.well-known/webauthn/route";
import { readSettings } from "@/lib/config/env";
import { configure, unset } from "@/lib/testing/change-settings";
import { answerOrigins } from "./answer-origins";

const given = { DATABASE_URL: "postgresql://x/y", SECRET: "x".repeat(32), PUBLIC_URL: "https://yes.example.com" };
afterEach(() => unset());

test("accepts only the service's own origin by default", async () => {
  configure(given);
  expect(answerOrigins()).toEqual(["https://yes.example.com"]);
  expect((await GET()).status).toBe(404);
});

test("publishes the origins of lenses and accepts them", async () => {
  configure({ ...given, LENS_ORIGINS: "https://lens.example.com http://localhost:4000" });
  const lenses = ["https://lens.example.com", "http://localhost:4000"];
  expect(answerOrigins()).toEqual(["https://yes.example.com", ...lenses]);
  const reply = await GET();
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(await reply.json()).toEqual({ origins: lenses });
});

test("rejects a lens at the service's own origin", () => {
  configure({ ...given, LENS_ORIGINS: "https://lens.example.com https://yes.example.com" });
  expect(answerOrigins).toThrow("LENS_ORIGINS must not contain PUBLIC_URL. Serve the lens from another origin.");
});

test.each([
  "lens.example.com",
  "https://lens.example.com/",
  "http://lens.example.com",
  "http://localhost.example.com",
  "https://*.example.com",
  "imaps://lens.example.com:993",
])("rejects LENS_ORIGINS=%s", (LENS_ORIGINS) => {
  expect(() => readSettings({ NODE_ENV: "test", LENS_ORIGINS })).toThrow(
    "LENS_ORIGINS must be origins like https://lens.example.com, separated by spaces.",
  );
});
