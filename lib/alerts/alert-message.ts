import { factLines } from "@/lib/approvals/facts";
import { env } from "@/lib/config/env";
import type { Settings } from "@/lib/owners/schema";
import { plural, upTo } from "@/lib/text/plural";
import type { AlertContent, ShowMessage } from "./push-schema";

/**
 * The maximum characters of an app's title and body. Texts of this length fit into a push message's
 * 4 KB in any script.
 */
export const maxLength = { title: 120, body: 240 };

/**
 * Returns the message that shows an alert. Because others may see the screen, the lock screen
 * setting `private` omits all of the app's words except its name. The app's words always follow its
 * name, so they can't pass for ours.
 */
export function messageFor(content: AlertContent, lockScreen: Settings["lockScreen"], badge: number): ShowMessage {
  const { about, tag, first, count, offer } = content;
  const list = about === "notifications" ? "/notifications" : "/approvals";
  const address = `${env().publicUrl}${count === 1 ? `${list}/${first.id}` : list}`;
  // If the browser shows the alert without our service worker, this action opens the question's
  // page, which also has a snooze button.
  const snooze = { action: "snooze", title: "Snooze 1 h", navigate: address };
  // Most browsers show two actions. A click on the alert itself also opens the page.
  const own = offer?.labels.map((title, index) => ({ action: `answer-${index}`, title, navigate: address })) ?? [
    about === "questions" && tag === first.id ? snooze : { action: "open", title: "Open", navigate: address },
  ];
  const freeze = { action: "freeze", title: "Freeze all apps", navigate: `${env().publicUrl}/frozen` };
  const actions = [...own, freeze];
  const data = offer && { data: { ticket: offer.ticket } };
  const shown = { tag, actions, ...data, requireInteraction: about === "questions" };
  return { ...showMessage(words(content, lockScreen), address, shown), app_badge: badge };
}

/**
 * Returns a message that shows a notification.
 * @param navigate the URL that a click opens
 */
export const showMessage = (
  text: { title: string; body: string },
  navigate: string,
  how: { tag: string } & Partial<ShowMessage["notification"]>,
): ShowMessage => ({
  web_push: 8030,
  notification: { ...text, lang: "en", dir: "auto", navigate, requireInteraction: false, actions: [], ...how },
});

function words(
  { about, app, first, count, more, leftMs, offer }: AlertContent,
  lockScreen: Settings["lockScreen"],
): { title: string; body: string } {
  if (offer)
    return {
      title: leftMs === undefined ? `${app} asks · low risk` : `${app}: answer within ${minutesIn(leftMs)}`,
      body: offer.text,
    };
  if (leftMs !== undefined) {
    const what = plural(count, { one: "a question", other: "# questions" }, upTo(99, count));
    const title = `${app}: answer ${what} within ${minutesIn(leftMs)}`;
    return { title, body: count === 1 && lockScreen === "full" ? questionText(first) : openIt(count) };
  }
  if (count > 1) return { title: several(app, count, more, about), body: `Open Countersign to see the ${about}.` };
  if (lockScreen === "full")
    return about === "questions"
      ? { title: `${app} asks`, body: questionText(first) }
      : { title: `${app}: ${cut(first.title, maxLength.title)}`, body: cut(first.body, maxLength.body) };
  return { title: `New ${about.slice(0, -1)} from ${app}`, body: `Open Countersign to see the ${about.slice(0, -1)}.` };
}

/** The maximum characters of a question that has facts, and of each fact. */
const maxWithFacts = { question: 160, fact: 80 };

/** Returns a question and, below it, as many of its facts as fit into an alert. */
function questionText({ title, facts }: AlertContent["first"]): string {
  const lines = factLines(facts).map((line) => cut(line, maxWithFacts.fact));
  let text = cut(title, lines.length > 0 ? maxWithFacts.question : maxLength.body);
  for (const line of lines) {
    const longer = `${text}\n${line}`;
    if ([...longer].length > maxLength.body) break;
    text = longer;
  }
  return text;
}

const openIt = (count: number) =>
  plural(count, { one: "Open Countersign to see the question.", other: "Open Countersign to see the questions." });

/** Formats milliseconds as whole minutes, rounded down, but at least one minute. */
export function minutesIn(ms: number): string {
  return minutes(Math.max(1, Math.floor(ms / 60_000)));
}

/** Formats a number of minutes: "a minute", "12 minutes". */
export const minutes = (count: number): string => plural(count, { one: "a minute", other: "# minutes" });

/** Formats a count of an app's items: "Deploy bot: 12 more questions". */
const several = (app: string, count: number, more: boolean, what: string) =>
  `${app}: ${upTo(99, count)} ${more ? "more" : "new"} ${what}`;

/** Returns the text on one line, cut at a character boundary. */
export function cut(text: string, max: number): string {
  const points = [...text.replace(/\s+/g, " ").trim()];
  return points.length > max ? `${points.slice(0, max - 1).join("")}…` : points.join("");
}
