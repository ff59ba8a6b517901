import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { AnswerResultView } from "./answer-result";
import { MailedQuestion } from "./mailed-question";
import { Options } from "./option-buttons";

const options = [
  { id: "yes", label: "Yes", note: "All of it" },
  { id: "no", label: "No" },
  { id: "later", label: "no", style: "danger" },
];
const asked = (more: object = {}): InboxApproval =>
  ({
    _id: "apr_1",
    _creationTime: 0,
    question: "Ship it?",
    options,
    contentHash: "hash",
    additions: [],
    triage: { first: false, ...("triage" in more ? (more.triage as object) : {}) },
    app: { name: "Courier", revoked: false },
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "triage")),
  }) as unknown as InboxApproval;

/** The page as text. */
const words = (html: string) => html.replace(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
const form = { action: "/alerts/answer/apr_1/decide", token: "csn_al_x" };
const when = (at: number) => (at > 1000 ? "Nov 20, 11:51" : "11:51");

test("shows the whole question and a submit button for each option", () => {
  const approval = asked({
    recommendation: "Better not",
    facts: [{ label: "Amount", value: "86.40 €" }],
    background: "Because",
    additions: [
      { createdAt: 1, body: "First" },
      { createdAt: 2, body: "Second" },
    ],
    expiresAt: 2000,
    defaultOptionId: "no",
    impersonates: true,
    triage: { first: true },
  });
  const html = renderToStaticMarkup(<MailedQuestion approval={approval} open when={when} />);
  for (const part of [
    "Ship it?",
    "Amount86.40 €If unansweredNo",
    "Courier suggests",
    "Better not",
    "Because",
    "First",
    "Second",
    "Unverified",
  ])
    expect(words(html)).toContain(part);
  expect(words(html)).toContain("answer by Nov 20, 11:51");
  expect(words(html)).toContain("We never ask for your password");
  expect(words(html)).toContain("First question from Courier");
  const page = renderToStaticMarkup(<Options approval={asked({ recommendation: "yes" })} {...form} />);
  expect(page).toMatch(/^<form [^>]*action="\/alerts\/answer\/apr_1\/decide" method="post">/);
  expect(page).toContain('name="token" value="csn_al_x"');
  expect(page).toContain('name="seen" value="hash"');
  expect(page.match(/<button type="submit" value="\w+"[^>]* name="optionId">/g)).toHaveLength(3);
  // The page distinguishes options with the same label.
  expect(words(page)).toBe("Yes · All of itCourier suggestsNonono (danger)later");
});

const byApp = { kind: "option", optionId: "no", resolvedBy: "api", resolvedAt: 1 };
const byOwner = { ...byApp, resolvedBy: "owner" };
const held = { answer: { kind: "option", optionId: "yes" }, commitAt: 1, leftMs: 1 };

test.each<[string, object, { used?: boolean; sent?: boolean; counts?: string }, string]>([
  [
    "an answer held by the link",
    { triage: { held } },
    { used: true, counts: "11:51:07" },
    "Answered · YesCourier receives your answer at 11:51:07. Until then, you can undo your answer.Undo",
  ],
  ["an answer that is being sent", { triage: { held } }, { used: true }, "Answered · YesSending to Courier…"],
  ["a recorded answer", { resolution: byOwner }, { used: true }, "Answered · NoCourier can now read your answer."],
  [
    "a recorded answer for a disconnected app",
    { resolution: byOwner, app: { name: "Courier", revoked: true } },
    { used: true },
    "Answered · NoThe question is closed.",
  ],
  [
    "an unused answer after a held answer elsewhere",
    { triage: { held } },
    { sent: true },
    "You already answered “Yes” elsewhere. The answer you just sent wasn’t used.",
  ],
  ["a held answer given elsewhere", { triage: { held } }, {}, "You already answered “Yes” elsewhere. "],
  ["an answer by the app", { resolution: byApp }, {}, "Courier answered its own question at 11:51: “No”."],
  [
    "an answer by the app on another day",
    { resolution: { ...byApp, resolvedAt: 2000 } },
    {},
    "Courier answered its own question on Nov 20, 11:51: “No”.",
  ],
  [
    "an answer after the app's answer",
    { resolution: byApp },
    { sent: true },
    "Courier already answered “No”. The answer you just sent wasn’t used.",
  ],
  [
    "a held answer after the app's answer",
    { resolution: byApp },
    { used: true, sent: true },
    "Courier already answered “No”. The answer you just sent wasn’t used.",
  ],
  [
    "a recorded default",
    { resolution: byApp, byDefault: true },
    {},
    "Time ran out at 11:51. Countersign used the default, “No”.",
  ],
  [
    "an expired question",
    { deadlinePassed: true, expiresAt: 1 },
    {},
    "This question expired without an answer. Courier can ask again.",
  ],
  [
    "a question that changed while the answer was held",
    { triage: { changed: true } },
    { used: true },
    "Your answer wasn’t sentThe question changed before your answer was sent. Sign in to review the question, then answer again.",
  ],
  [
    "a disconnected app's question",
    { app: { name: "Courier", revoked: true } },
    {},
    "Courier is no longer connected, so this link no longer works. Sign in to answer.",
  ],
  [
    "a rejected answer for a disconnected app",
    { app: { name: "Courier", revoked: true } },
    { sent: true },
    "Your answer wasn’t sentCourier is no longer connected, so this link no longer works. Sign in to answer.",
  ],
  [
    "an answer that was undone elsewhere",
    {},
    { used: true },
    "You undid the answer from this link. Sign in to answer again.",
  ],
])("shows the result text for %s", (_, more, { used = false, sent = false, counts }, expected) => {
  const html = renderToStaticMarkup(
    <AnswerResultView approval={asked(more)} {...{ used, sent, counts, form, when }} />,
  );
  expect(words(html)).toBe(expected);
  expect(html.includes("<form")).toBe(counts !== undefined);
});
