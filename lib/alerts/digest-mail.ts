import { type Fact, factLines } from "@/lib/approvals/facts";
import { clockIn, momentIn } from "@/lib/text/dates";
import { escapeHtml } from "@/lib/text/escape-html";
import { plural } from "@/lib/text/plural";
import { cut } from "./alert-message";

/** A question in an email. Times are in epoch milliseconds. */
export type MailedQuestion = {
  app: string;
  /** The number of pending questions from this app. */
  ofApp: number;
  /** The question's text. Absent if emails may name only the app. */
  question?: string | undefined;
  facts?: readonly Fact[];
  dueAt?: number | undefined;
  link: string;
  /** When the question's link expires. Present only if the link answers without a sign-in. */
  opensUntil?: number | undefined;
};

type DigestSetting = {
  now: number;
  /** The owner's time zone; undefined if unknown. */
  timeZone: string | undefined;
  /** The number of pending questions, including those the email doesn't list. */
  count: number;
  /** The reason for the email, like "a question’s deadline is near". */
  because: string;
  publicUrl: string;
  /** The URL of the page that turns these emails off. */
  off: string;
  /** The URL of the page that freezes all apps. */
  freeze: string;
};

/**
 * Returns the email about pending questions, grouped by app. Its plain text and HTML have the same
 * content.
 * @param waiting the questions to list, the nearest deadline first
 */
export function digestMail(waiting: MailedQuestion[], setting: DigestSetting) {
  const apps = new Set(waiting.map(({ app }) => app));
  const groups = [...apps].map((app) => [app, waiting.filter((it) => it.app === app)] as const);
  const { now, timeZone, count, because, publicUrl, off, freeze } = setting;
  const left = count - waiting.length;
  const opensUntil = waiting.find((it) => it.opensUntil !== undefined)?.opensUntil;
  const until = opensUntil === undefined ? undefined : `Until ${clockIn(opensUntil, { timeZone })}`;
  const answers = `${until}, this link lets you answer without signing in`;
  const rest = [
    until
      ? `${until}, anyone who reads this email can use the links that need no sign-in. You can turn off these links in Settings › Alerts. Opening a link never submits an answer.`
      : "Sign in to answer. Opening a link in this email never submits an answer.",
    `You’re receiving this email because ${because}.`,
  ];
  const [freezing, stop] = ["Freeze all apps", "Stop email alerts"];
  const dueLine = ({ dueAt }: MailedQuestion) =>
    dueAt === undefined ? "" : `Due ${momentIn(dueAt, setting)}, ${relativeText(dueAt - now)}.`;
  const text = [
    ...groups.flatMap(([app, questions]) => [
      questionsFrom(app, questions[0]?.ofApp ?? 0),
      ...questions.map((question) =>
        [
          question.question === undefined ? "New question" : cut(question.question, maxQuestionLength),
          ...factLines(question.facts),
          dueLine(question),
          question.opensUntil === undefined ? "Answer:" : `${answers}:`,
          question.link,
        ]
          .filter((line) => line !== "")
          .join("\n"),
      ),
    ]),
    ...(left > 0 ? [`And ${moreQuestions(left)}:\n${publicUrl}/approvals`] : []),
    ...rest,
    `${freezing}:\n${freeze}`,
    `${stop}:\n${off}`,
  ].join("\n\n");
  const html = [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subjectOf(waiting, setting))}</title>`,
    `<body style="max-width:36rem;margin:1.5rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif">`,
    ...groups.map(([app, questions]) => {
      const items = questions.map((question) => {
        const asks =
          question.question === undefined ? `New question from ${app}` : cut(question.question, maxQuestionLength);
        const free = question.opensUntil === undefined ? "" : `${answers}.`;
        const below = [dueLine(question), free].filter((line) => line !== "").map((line) => `<br>${escapeHtml(line)}`);
        const facts = factLines(question.facts).map((line) => `<br><span dir="auto">${escapeHtml(line)}</span>`);
        return `<li style="margin:0 0 .75rem"><a href="${escapeHtml(question.link)}" dir="auto">${escapeHtml(asks)}</a>${facts.join("")}${below.join("")}</li>`;
      });
      const heading = escapeHtml(questionsFrom(app, questions[0]?.ofApp ?? 0));
      return `<h2 style="font-size:1.125rem;margin:1.5rem 0 .5rem" dir="auto">${heading}</h2><ul style="margin:0;padding-inline-start:1.25rem">${items.join("")}</ul>`;
    }),
    left > 0 ? `<p><a href="${publicUrl}/approvals">And ${moreQuestions(left)}</a></p>` : "",
    '<div style="margin-top:2rem;border-top:1px solid;font-size:.875rem">',
    ...rest.map((line) => `<p>${escapeHtml(line)}</p>`),
    `<p><a href="${escapeHtml(freeze)}">${freezing}</a></p>`,
    `<p><a href="${escapeHtml(off)}">${stop}</a></p></div></html>`,
  ].join("");
  return { subject: subjectOf(waiting, setting), text, html };
}

/** Formats a count: "3 more questions". */
const moreQuestions = (count: number) => plural(count, { one: "# more question", other: "# more questions" });

/** Maximum length of a question, in characters. */
const maxQuestionLength = 200;

function subjectOf(waiting: MailedQuestion[], setting: DigestSetting): string {
  const [first] = waiting;
  if (!first) return "";
  const due = first.dueAt === undefined ? undefined : `due ${momentIn(first.dueAt, setting)}`;
  if (setting.count === 1) {
    const asks =
      first.question === undefined ? `Question from ${first.app}` : `${first.app}: ${cut(first.question, 80)}`;
    return due ? `${asks} (${due})` : asks;
  }
  const apps = [...new Map(waiting.map(({ app, ofApp }) => [app, ofApp]))].slice(0, 2);
  const named = apps.map(([app, ofApp], index) => (index === 0 ? questionsFrom(app, ofApp) : `${ofApp} from ${app}`));
  const more = apps.reduce((sum, [, ofApp]) => sum - ofApp, setting.count);
  const subject = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return due ? `${subject} (first ${due})` : subject;
}

const questionsFrom = (app: string, count: number) =>
  `${plural(count, { one: "# question", other: "# questions" })} from ${app}`;

const inWords = new Intl.RelativeTimeFormat("en");

/** Returns a duration like "in 2 hours", rounded down. */
function relativeText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "in less than a minute";
  if (minutes < 60) return inWords.format(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? inWords.format(hours, "hour") : inWords.format(Math.floor(hours / 24), "day");
}
