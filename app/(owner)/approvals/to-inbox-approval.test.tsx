import { expect, test } from "vitest";
import type { OwnerApproval } from "@/lib/approvals/owner-view";
import type { AnswerSignature } from "@/lib/approvals/sign/schema";
import { toInboxApproval } from "./to-inbox-approval";

const asked = (id: string, question: string, backgroundContext?: string) =>
  ({
    _id: id,
    question,
    backgroundContext,
    options: [],
    additions: [],
    app: {},
    triage: {},
  }) as unknown as OwnerApproval;

test("lists a safe option before a dangerous option", () => {
  const options = [
    { id: "drop", label: "Drop", style: "danger" as const },
    { id: "keep", label: "Keep" },
  ];
  const [shown] = toInboxApproval([{ ...asked("a", "?"), options }], undefined);
  expect(shown?.options.map(({ id }) => id)).toEqual(["keep", "drop"]);
});

test("replaces a signature with its summary", () => {
  const signature = { statement: "long", synced: true } as AnswerSignature;
  const resolution = { kind: "option", optionId: "a", resolvedBy: "owner", resolvedAt: 1 } as const;
  const answer = { kind: "option", optionId: "a" } as const;
  const triage = { held: { commitAt: 1, leftMs: 1, answer: { ...answer, signature } } } as OwnerApproval["triage"];
  const [recorded, held, unsigned] = toInboxApproval(
    [
      { ...asked("a", "?"), resolution: { ...resolution, signature } },
      { ...asked("b", "?"), triage },
      { ...asked("c", "?"), resolution },
    ],
    undefined,
  );
  expect([recorded?.resolution, recorded?.signed]).toEqual([resolution, { synced: true }]);
  expect([held?.triage.held?.answer, held?.signed]).toEqual([answer, { synced: true }]);
  expect(JSON.stringify([recorded, held])).not.toContain("long");
  expect(unsigned?.signed).toBeUndefined();
});

test("skips the impersonation check for an abridged question", () => {
  const long = "\u90e8".repeat(20_000);
  const list = [
    asked("a", "Sign in again?"),
    asked("b", "?", long),
    asked("c", "?", long),
    asked("d", "Sign in again?"),
  ];
  const told = (open?: string) => toInboxApproval(list, open).map(({ whole, impersonates }) => [whole, impersonates]);
  const unread = [false, false];
  expect(told()).toEqual([[true, true], [true, false], unread, unread]);
  expect(told("d")).toEqual([[true, true], [true, false], unread, [true, true]]);
});

test("detects impersonation in a question's facts", () => {
  const [shown] = toInboxApproval([{ ...asked("a", "?"), facts: [{ label: "Next", value: "Sign in again" }] }], "a");
  expect(shown?.impersonates).toBe(true);
});

test("exempts the service's own text from the impersonation check", () => {
  const said = "Countersign asks: sign in again?";
  const ours = { ...asked("b", said), app: { own: true } } as unknown as OwnerApproval;
  expect(toInboxApproval([asked("a", said), ours], undefined).map(({ impersonates }) => impersonates)).toEqual([
    true,
    false,
  ]);
});
