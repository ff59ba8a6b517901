import { expect, test } from "vitest";
import type { Resolution } from "@/lib/approvals/schema";
import { fieldsOf, replyOf } from "./answer-requests";

const yes: Resolution = { kind: "option", optionId: "yes", resolvedBy: "owner", resolvedAt: 1 };

test("distinguishes rejected, recorded and late answers in the server's result", () => {
  expect(replyOf({ message: "Must not be blank" })).toEqual({ type: "refused", message: "Must not be blank" });
  expect(replyOf({ won: true, resolution: yes })).toEqual({ type: "done", outcome: yes });
  expect(replyOf({ won: false, resolution: yes })).toEqual({ type: "beaten", outcome: yes });
});

test("reads the remaining undo time from the server's result", () => {
  const held = { answer: { kind: "option" as const, optionId: "yes" }, commitAt: 5000, leftMs: 4000 };
  expect(replyOf({ held })).toMatchObject({
    type: "held",
    outcome: { optionId: "yes" },
    leftMs: 4000,
  });
});

test("asks the owner to choose an unconfirmed option again", () => {
  expect(replyOf({ unconfirmed: true })).toEqual({ type: "refused", message: "Choose the option again to confirm" });
});

test("sends the number that the owner picked", () => {
  expect(fieldsOf({ ...yes, picked: "47" })).toEqual({ optionId: "yes", confirmed: "yes", note: "", picked: "47" });
});

test("reports a wrong number as a rejected answer", () => {
  expect(replyOf({ mismatched: true })).toEqual({
    type: "refused",
    message: "You chose the wrong number. Your answer wasn’t sent.",
  });
});

test("sends an option ID only with an option answer, not a written answer", () => {
  expect(fieldsOf({ ...yes, note: "Soon" })).toEqual({ optionId: "yes", confirmed: "yes", note: "Soon" });
  expect(fieldsOf({ kind: "other", otherText: "Later", resolvedBy: "owner", resolvedAt: 1 })).toEqual({
    otherText: "Later",
    note: "",
  });
});
