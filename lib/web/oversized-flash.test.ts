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

test("reports that an answer was not sent if it is too long to confirm", async () => {
  const typed = { "field.text": randomBytes(100_000).toString("hex") };
  const value = { unconfirmed: true, chosen: "pay", typed };
  const reply = flashResponse("/approvals/apr_1", "approval.answer", new FormData(), { ok: true, value });
  expect(reply.status).toBe(413);
  const text = await reply.text();
  expect(text).toContain("Your answer was not sent");
  expect(text).not.toContain("Action completed");
});
