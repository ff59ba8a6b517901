import { expect, test } from "vitest";
import { answersAsCsv, answersAsJsonLines, answersHeader } from "./answers-export";
import type { OwnerApproval } from "./owner-view";

const approval = (more: Partial<OwnerApproval>): OwnerApproval => ({
  _id: "apr_1",
  _creationTime: 0,
  clientId: "app_1",
  question: "Ship it?",
  status: "resolved",
  contentHash: "sha256:1",
  options: [{ id: "yes", label: "=1+1" }],
  resolution: { kind: "option", optionId: "yes", resolvedBy: "owner", resolvedAt: 60_000 },
  app: { name: "Courier", hue: 0, revoked: false, muted: false, alwaysConfirm: false },
  additions: [],
  questions: [],
  outcomes: [],
  triage: {
    seen: true,
    seenAt: 30_000,
    askedBack: false,
    overtaken: false,
    unexpected: false,
    first: true,
    section: "today",
  },
  ...more,
});

test("writes an answer's risk, facts and use in the last CSV columns", () => {
  const facts = [
    { label: "Amount", value: "86.40 €" },
    { label: "Formula", value: "=1+1" },
  ];
  const told = [approval({ risk: "high", facts, usedAt: 90_000 })];
  expect(answersAsCsv(told)).toMatch(/,high,"Amount: 86\.40 €\nFormula: =1\+1",1970-01-01T00:01:30\.000Z,,\r\n$/);
  expect(answersHeader).toMatch(/,risk,facts,used_at,withdrawn_at,values\r\n$/);
  expect(JSON.parse(answersAsJsonLines(told))).toMatchObject({ facts });
});

test("escapes spreadsheet formulas in an answer's CSV line", () => {
  const line = answersAsCsv([approval({})]);
  expect(line).toBe(
    "1970-01-01T00:00:00.000Z,1970-01-01T00:00:30.000Z,1970-01-01T00:01:00.000Z,you,Courier,app_1,Ship it?,'=1+1,option,yes,,apr_1,,,,,,,,,,,\r\n",
  );
  expect(answersHeader.split(",")).toHaveLength(line.split(",").length);
});

test("preserves line breaks in written answers", () => {
  const resolution = {
    kind: "other",
    otherText: 'Two\n"lines"',
    note: "-5",
    resolvedBy: "api",
    resolvedAt: 0,
  } as const;
  expect(answersAsCsv([approval({ resolution })])).toContain(`app,Courier,app_1,Ship it?,"Two\n""lines""",other,,'-5,`);
  const [line = "", rest] = answersAsJsonLines([approval({ resolution })]).split("\n");
  expect(rest).toBe("");
  expect(JSON.parse(line)).toMatchObject({
    answer: 'Two\n"lines"',
    by: "app",
    note: "-5",
    options: [{ id: "yes", label: "=1+1" }],
  });
});

test("exports clarifications, additions and reports", () => {
  const talk = {
    questions: [{ text: "Why?", createdAt: 1 }],
    additions: [
      { text: "=1+1", createdAt: 2 },
      { text: "More", createdAt: 3 },
    ],
    outcomes: [
      { status: "started" as const, reportedAt: 60_000 },
      { status: "failed" as const, text: "No room", link: "https://ci.example/1", reportedAt: 120_000 },
    ],
  };
  const line = answersAsCsv([approval(talk)]);
  expect(line).toContain(
    `,apr_1,Why?,"'=1+1\n\nMore",failed,1970-01-01T00:02:00.000Z,No room,https://ci.example/1,,,,,\r\n`,
  );
});
