import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { flashResponse } from "./action-responses";

test("reports success when a result is too long for the flash", async () => {
  // Random text, because the flash compresses its contents.
  const value = randomBytes(100_000).toString("hex");
  const reply = flashResponse("/activity", "approval.mute", new FormData(), { ok: true, value });
  expect(reply.status).toBe(200);
  const text = await reply.text();
  expect(text).toContain("<h1>Action completed</h1>");
  expect(text).not.toContain("Something went wrong");
});
