import { expect, test } from "vitest";
import { digestMail, type MailedQuestion } from "./digest-mail";

const now = Date.UTC(2026, 10, 23, 9, 4);
const minute = 60_000;
const setting = {
  now,
  timeZone: "Europe/Berlin",
  count: 1,
  because: "a question’s deadline is near",
  publicUrl: "https://yes.example",
  off: "https://yes.example/off?a=1&b=2",
  freeze: "https://yes.example/freeze?a=1&b=2",
};
const asks = (app: string, more: Partial<MailedQuestion> = {}): MailedQuestion => ({
  app,
  ofApp: 1,
  link: "https://yes.example/approvals/apr_1",
  ...more,
});
const subject = (waiting: MailedQuestion[], more: Partial<typeof setting> = {}) =>
  digestMail(waiting, { ...setting, count: waiting.length, ...more }).subject;
const dueAt = now + 120 * minute;

test("includes the app, question and deadline in the email's subject", () => {
  const reply = asks("Mail helper", { question: "Reply to Noor?", dueAt });
  expect(subject([reply])).toBe("Mail helper: Reply to Noor? (due 12:04)");
  expect(subject([asks("Mail helper", { dueAt })])).toBe("Question from Mail helper (due 12:04)");
  expect(subject([asks("Mail helper")])).toBe("Question from Mail helper");
  expect(digestMail([reply], { ...setting, timeZone: undefined }).subject).toBe(
    "Mail helper: Reply to Noor? (due 11:04 UTC)",
  );
});

test("counts each app's questions in the email's subject", () => {
  const mail = asks("Mail helper", { ofApp: 3 });
  const both = [mail, mail, mail, asks("Deploy bot")];
  expect(subject([mail, mail, mail])).toBe("3 questions from Mail helper");
  expect(subject(both)).toBe("3 questions from Mail helper, 1 from Deploy bot");
  expect(subject([{ ...mail, dueAt }, mail, mail, asks("Deploy bot")])).toBe(
    "3 questions from Mail helper, 1 from Deploy bot (first due 12:04)",
  );
  // The total includes questions that the email doesn't list.
  expect(subject([...both, asks("Backup")], { count: 9 })).toBe(
    "3 questions from Mail helper, 1 from Deploy bot, 5 more",
  );
});

test.each([
  [0.5, "10:04", "in less than a minute"],
  [1.9, "10:05", "in 1 minute"],
  [59.9, "11:03", "in 59 minutes"],
  [119, "12:03", "in 1 hour"],
  [14 * 60, "tomorrow 00:04", "in 14 hours"],
  [50 * 60, "Nov 25, 12:04", "in 2 days"],
])("describes a deadline in %d minutes as “due %s, %s”", (minutes, at, left) => {
  const { text } = digestMail([asks("Mail helper", { dueAt: now + minutes * minute })], setting);
  expect(text).toContain(`New question\nDue ${at}, ${left}.\nAnswer:\nhttps://yes.example/approvals/apr_1`);
});

test("groups questions by app in the given order", () => {
  const waiting = [
    asks("Mail helper", { ofApp: 2, question: "Reply to Noor?", dueAt }),
    asks("Deploy bot", { question: "Ship\n<b>it</b>?" }),
    asks("Mail helper", { ofApp: 2, question: "Archive?" }),
  ];
  const { text, html } = digestMail(waiting, { ...setting, count: 5 });
  const order = ["2 questions from Mail helper", "Reply to Noor?", "Archive?", "1 question from Deploy bot", "Ship "];
  const places = [text, html.replace(/<title>.*?<\/title>/, "")].map((it) => order.map((words) => it.indexOf(words)));
  for (const its of places) {
    expect(its).not.toContain(-1);
    expect(its).toEqual([...its].sort((a, b) => a - b));
  }
  expect(text).toContain("And 2 more questions:\nhttps://yes.example/approvals\n");
  expect(html).toContain('<a href="https://yes.example/approvals">And 2 more questions</a>');
  expect(html.match(/<h2/g)).toHaveLength(2);
  expect(html.match(/<li/g)).toHaveLength(3);
  // An app's words are escaped and stay on one line.
  expect(html).toContain("Ship &#60;b&#62;it&#60;/b&#62;?");
  expect(text).toContain("Ship <b>it</b>?");
  expect(html).toContain('href="https://yes.example/off?a=1&#38;b=2">Stop email alerts');
  expect(html).toContain('href="https://yes.example/freeze?a=1&#38;b=2">Freeze all apps');
  expect(text).toContain("\n\nFreeze all apps:\nhttps://yes.example/freeze?a=1&b=2\n\n");
  expect(text).toMatch(/Stop email alerts:\nhttps:\/\/yes\.example\/off\?a=1&b=2$/);
});

test("lists each fact on its own line below the question", () => {
  const facts = [
    { label: "Amount", value: "86.40 €" },
    { label: "To", value: "<Ada>" },
  ];
  const { text, html, subject } = digestMail([asks("Bank", { question: "Pay?", facts, dueAt })], setting);
  expect(text).toContain("Pay?\nAmount: 86.40 €\nTo: <Ada>\nDue 12:04");
  expect(html).toContain(
    'Pay?</a><br><span dir="auto">Amount: 86.40 €</span><br><span dir="auto">To: &#60;Ada&#62;</span><br>Due 12:04',
  );
  expect(subject).not.toContain("Amount");
});

test("omits the question's text if alerts are private", () => {
  const { text, html } = digestMail([asks("Mail helper", { dueAt })], setting);
  expect(text).toContain("1 question from Mail helper\n\nNew question\nDue 12:04, in 2 hours.");
  expect(html).toContain(">New question from Mail helper</a><br>Due 12:04, in 2 hours.");
});

test("shows how long answer links work without a sign-in", () => {
  const opensUntil = now + 15 * minute;
  const { text, html } = digestMail([asks("Mail helper", { opensUntil }), asks("Deploy bot")], {
    ...setting,
    count: 2,
  });
  for (const it of [text, html]) {
    expect(it.match(/Until 10:19, this link lets you answer without signing in/g)).toHaveLength(1);
    expect(it).toContain("Until 10:19, anyone who reads this email can use the links that need no sign-in.");
  }
  const plain = digestMail([asks("Mail helper")], setting);
  for (const it of [plain.text, plain.html]) {
    expect(it).toContain("Sign in to answer.");
    expect(it).not.toContain("without signing in");
  }
});
