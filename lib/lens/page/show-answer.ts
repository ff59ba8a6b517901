import type { CheckedAnswer, StatedContent } from "@/lib/lens/signing-request";
import { descriptions, element, notice } from "./elements";
import { shownFields } from "./show-fields";
import { shownText, shownTime, shownValue } from "./show-text";

/* Shows one question with its answer. Each part of the content that the hash covers appears. */

/** The parts of a content that have a place of their own on the page. */
const placed = new Set(
  "additions backgroundContext defaultOptionId expiresAt facts fields once options ownerOnly question recommendation risk signedByOwner".split(
    " ",
  ),
);

/**
 * Returns a question with its answer.
 * @param number the question's position, and the total number of questions
 */
export function shownAnswer(answer: CheckedAnswer, number: { index: number; of: number }): HTMLElement {
  const { content } = answer;
  const id = `question-${number.index}`;
  const chosen = content.options.find((option) => option.id === answer.option);
  return element(
    "section",
    { class: "card", "aria-labelledby": id },
    number.of > 1 && element("p", { class: "muted" }, `Question ${number.index + 1} of ${number.of}`),
    element("h2", { id, class: "question" }, shownText(content.question)),
    shownFacts(content),
    content.risk === "high" && notice("warn", "The app rates the risk of this decision as high."),
    element(
      "div",
      { class: `yours ${chosen?.style === "danger" ? "danger" : ""}`.trim() },
      element("p", { class: "muted" }, chosen ? "Your answer" : "Your answer, in your own words"),
      element("p", { class: "chosen" }, shownText(chosen?.label ?? answer.otherText ?? "")),
      chosen?.note !== undefined && element("p", {}, shownValue(chosen.note)),
    ),
    part("Your values", shownFields(content.fields, answer.values)),
    part("Your note", answer.note === undefined ? undefined : shownText(answer.note)),
    part("All options, in order", shownOptions(content, answer)),
    part("Added later", shownAdditions(content)),
    shownTerms(content),
    // The longest part follows those that a reader must not miss.
    part(
      "Background, as plain text",
      content.backgroundContext === undefined ? undefined : shownText(content.backgroundContext, "long"),
    ),
    // Contains the IDs of the approval, its options and its fields, by which programs act.
    element(
      "details",
      {},
      element("summary", {}, "Everything, as JSON"),
      shownText(JSON.stringify(answer, null, 1), "long"),
    ),
  );
}

const part = (title: string, shown: HTMLElement | undefined) =>
  shown && element("div", { class: "part" }, element("h3", {}, title), shown);

/** Returns the facts in the app's order, the first one large. */
function shownFacts({ facts = [] }: StatedContent): HTMLElement | undefined {
  const [first, ...others] = facts;
  if (!first) return undefined;
  return element(
    "div",
    { class: "facts" },
    descriptions([[shownText(first.label), shownText(first.value)]], "first"),
    others.length > 0 && descriptions(others.map(({ label, value }) => [shownText(label), shownText(value)])),
  );
}

function shownOptions({ options }: StatedContent, answer: CheckedAnswer): HTMLElement {
  const rows = options.map((option) => {
    const { id, label, note, style, fields, ...unknown } = option;
    const isChosen = id === answer.option;
    return element(
      "li",
      { class: isChosen && "is-chosen" },
      element("strong", {}, shownText(label)),
      isChosen && " ",
      isChosen && element("span", { class: "badge" }, "Your answer"),
      style === "danger" && " ",
      style === "danger" && element("span", { class: "badge danger" }, "Dangerous"),
      fields === true && element("span", { class: "muted" }, " with your values"),
      note !== undefined && element("p", { class: "muted" }, shownValue(note)),
      Object.keys(unknown).length > 0 && element("p", {}, shownValue(unknown)),
    );
  });
  const other =
    answer.otherText === undefined ? [] : [element("li", { class: "is-chosen" }, "You answer in your own words.")];
  return element("ol", { class: "options" }, ...rows, ...other);
}

function shownAdditions({ additions = [] }: StatedContent): HTMLElement | undefined {
  if (additions.length === 0) return undefined;
  const rows = additions.map(({ text, createdAt }) =>
    element("li", {}, shownText(text), element("p", { class: "muted" }, shownTime(createdAt))),
  );
  return element("ol", { class: "rows" }, ...rows);
}

/** The values of `signedByOwner`, in words. */
const signatures = new Map<unknown, string>([
  [true, "The app requires your passkey’s signature."],
  ["in-lens", "The app requires your passkey’s signature in a lens."],
  ["when-possible", "The app requires your signature only if you have a passkey."],
]);

/** Returns the question's other terms, and any part that this version of the lens doesn't know. */
function shownTerms(content: StatedContent): HTMLElement | undefined {
  const { risk, recommendation, defaultOptionId, expiresAt, ownerOnly, once, signedByOwner } = content;
  const labelOf = (id: string) => content.options.find((option) => option.id === id)?.label ?? id;
  const line = (text: string) => element("span", {}, text);
  const signature = signatures.get(signedByOwner);
  const rows: [string, HTMLElement | undefined][] = [
    ["Risk", risk === undefined || risk === "high" ? undefined : shownValue(risk)],
    ["App recommends", recommendation === undefined ? undefined : shownText(labelOf(String(recommendation)))],
    ["Deadline", expiresAt === undefined ? undefined : shownTime(Number(expiresAt))],
    ["If unanswered", defaultOptionId === undefined ? undefined : shownText(labelOf(String(defaultOptionId)))],
    ["Answered by", ownerOnly ? line("Only you, never by an app") : undefined],
    ["Use", once ? line("You can withdraw your answer until a program uses it.") : undefined],
    ["Signature", signedByOwner === undefined ? undefined : signature ? line(signature) : shownValue(signedByOwner)],
    ...Object.entries(content)
      .filter(([name]) => !placed.has(name))
      .map(([name, value]): [string, HTMLElement] => [name, shownValue(value)]),
  ];
  return rows.some(([, value]) => value) ? part("Terms", descriptions(rows)) : undefined;
}
