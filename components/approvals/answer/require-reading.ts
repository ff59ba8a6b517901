"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type InboxApproval, suggestedOption } from "@/components/approvals/inbox-approval";
import { plural } from "@/lib/text/plural";

/**
 * The parts whose end has been visible on this page, by question ID and part name. An app's words
 * never change, so a part stays read.
 */
const seen = new Set<string>();

/**
 * Tracks the parts of the open question whose end has not been visible. If any are unread, the
 * first press scrolls to them and explains why. The next press answers.
 * @param bar the answer bar, which covers the text above it
 * @param holdBack called when an answer is blocked; returns false if the press came too soon to
 * count
 */
export function useReadGate(approval: InboxApproval, bar: RefObject<HTMLElement | null>, holdBack: () => boolean) {
  const { _id: id, contentHash } = approval;
  const [left, setLeft] = useState("");
  const [heldBack, setHeldBack] = useState({ from: "", words: "" });
  const warned = useRef(new Set<string>());
  const unseen = () => (bar.current ? unseenOf(id, bar.current) : []);

  useEffect(() => {
    const it = bar.current;
    if (!it) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      // A background tab runs no animation frames, so no text counts as viewed there.
      frame = requestAnimationFrame(() => setLeft(linkTo(namesOf(unseenOf(id, it).filter(isText)))));
    };
    const sized = new ResizeObserver(look);
    for (const element of [document.body, it]) sized.observe(element);
    document.addEventListener("scroll", look, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sized.disconnect();
      document.removeEventListener("scroll", look, { capture: true });
    };
  }, [id, bar]);

  const show = (marks: HTMLElement[]) => {
    const text = marks.find(isText);
    if (text && bar.current) readOn(text, bar.current);
    marks.find((mark) => !isText(mark))?.scrollIntoView({ block: "nearest" });
  };
  return {
    /** The label of the link to unread text. Empty if all text is read. */
    left,
    /** Why an answer was blocked. */
    heldBack: heldBack.from === contentHash ? heldBack.words : "",
    readOn: () => show(unseen().filter(isText)),
    /**
     * Whether the answer may be sent. If parts are unread, the first press is blocked and the next
     * one counts.
     * @param optionId the chosen option, if any
     */
    maySend(optionId: FormDataEntryValue | null): boolean {
      const lacks = unseen().filter((mark) => isText(mark) || mark.value === optionId);
      const keys = lacks.map((mark) => contentHash + (isText(mark) ? "" : optionId));
      if (keys.every((key) => warned.current.has(key))) return true;
      if (!holdBack()) return false;
      for (const key of keys) warned.current.add(key);
      setHeldBack({ from: contentHash, words: reasonFor(namesOf(lacks)) });
      show(lacks);
      return false;
    },
  };
}

/** The names of a question's texts other than the question itself. */
export function textsOf(approval: InboxApproval): string[] {
  const { recommendation, hasBackground, additions } = approval;
  const suggested = recommendation?.trim() && !suggestedOption(approval);
  const names = [...(suggested ? ["the suggestion"] : []), ...(hasBackground ? ["the background"] : [])];
  return [...names, ...additions.map((_, index) => `Addition ${index + 1}`)];
}

/** The texts that have not been in view on this page. */
export const unseenTexts = (approval: InboxApproval): string[] =>
  textsOf(approval).filter((name) => !seen.has(`${approval._id} ${name}`));

/** Marks texts as read if they were viewed outside the open question. */
export const markTextsRead = (approval: InboxApproval): void => {
  for (const name of textsOf(approval)) seen.add(`${approval._id} ${name}`);
};

/** The end of a text, or an option. */
type Mark = HTMLElement & { value?: string };

const isText = (mark: Mark) => mark.dataset.end !== undefined;

/** Returns the parts not yet in view to their end, in page order. Records the parts in view now. */
function unseenOf(id: string, bar: Element): Mark[] {
  const { top, height } = bar.getBoundingClientRect();
  const marks = document.querySelectorAll<Mark>("[data-said] [data-end], [data-options] [name=optionId]");
  return [...marks].filter((mark) => {
    const part = `${id} ${mark.dataset.end ?? `option ${mark.value}`}`;
    const box = boxOf(mark);
    // Tolerates 12 hidden pixels of an option. For a text, tolerates the 4 that `Clamp` also
    // allows.
    const bottom = mark.getBoundingClientRect().bottom - (isText(mark) ? 4 : 12);
    const foot = Math.min(isText(mark) ? top : window.innerHeight, window.innerHeight, box.bottom + 1);
    if (height > 0 && bottom >= Math.max(0, box.top) - 4 && bottom <= foot) seen.add(part);
    return !seen.has(part);
  });
}

const namesOf = (marks: Mark[]) => marks.map(({ dataset }) => dataset.end ?? "this option");

const isAddition = (name: string) => name.startsWith("Addition");
const additions = (count: number) => plural(count, { one: "# addition", other: "# additions" });

/** The label of a link to unread text: "Read the rest", "18 more additions". */
export function linkTo(names: string[]): string {
  const added = names.filter(isAddition).length;
  if (added === 0) return names.length > 0 ? "Read the rest" : "";
  return added === 1 ? "1 more addition" : `${added} more additions`;
}

/**
 * Explains why an answer is blocked: "15 additions unread.", "The rest of the question is unread."
 */
export function reasonFor(names: string[]): string {
  const added = names.filter(isAddition).length;
  const [other] = names.filter((name) => !isAddition(name));
  if (added > 0) return `${additions(added)} unread.`;
  return other === "this option" ? "This option was out of view." : `The rest of ${other} is unread.`;
}

/** Describes unread parts in a list: "the background, 15 additions". @param total the number of additions */
export function wordsFor(names: string[], total: number): string {
  const added = names.filter(isAddition);
  const words = names.filter((name) => !added.includes(name));
  const isNewestUnread = total > 1 && added.includes(`Addition ${total}`);
  if (isNewestUnread && added.length === 1) words.push("the newest addition");
  else if (added.length > 0) words.push(additions(added.length) + (isNewestUnread ? ", including the newest" : ""));
  return words.join(", ");
}

/** Scrolls to where reading stopped, and expands a truncated text. */
function readOn(mark: Mark, bar: Element) {
  const { top, bottom } = boxOf(mark);
  const from = bottom < 0 ? top : Math.max(top, Math.min(bottom, bar.getBoundingClientRect().top));
  const opens = mark.parentElement?.nextElementSibling;
  if (opens?.ariaExpanded === "false") (opens as HTMLElement).click();
  // The scroll happens after the text has expanded. It keeps the last read lines, or the next
  // heading, in view.
  requestAnimationFrame(() => window.scrollBy({ top: from - 96, behavior: "instant" }));
}

const boxOf = (mark: Mark) => (mark.closest("[data-options]") ?? mark.parentElement ?? mark).getBoundingClientRect();
