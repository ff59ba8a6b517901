"use client";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { plural } from "@/lib/text/plural";

/** What has been in view on this page, by the question's id and the part's name: an app's words never change. */
const seen = new Set<string>();

/**
 * What of an open question has not been in view to its end: no answer is given to what was not seen. A press that would be one
 * leads there instead, and says so; the next one answers.
 * @param bar the answers, which lie over the text above them
 * @param holdBack an answer is not given: a press right after it will not be meant as one either. False where this one is not.
 */
export function useReadGate(approval: InboxApproval, bar: RefObject<HTMLElement | null>, holdBack: () => boolean) {
  const { _id: id, contentHash, additions } = approval;
  const [left, setLeft] = useState("");
  const [heldBack, setHeldBack] = useState({ from: "", words: "" });
  const told = useRef(new Set<string>());
  const unseen = () => (bar.current ? unseenOf(id, bar.current) : []);
  const total = additions.length;

  useEffect(() => {
    const it = bar.current;
    if (!it) return;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      // Not before it is painted, and so not in a tab behind others.
      frame = requestAnimationFrame(() => setLeft(wordsFor(namesOf(unseenOf(id, it).filter(isText)), total)));
    };
    const sized = new ResizeObserver(look);
    for (const element of [document.body, it]) sized.observe(element);
    document.addEventListener("scroll", look, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sized.disconnect();
      document.removeEventListener("scroll", look, { capture: true });
    };
  }, [id, total, bar]);

  const show = (marks: HTMLElement[]) => {
    const text = marks.find(isText);
    if (text && bar.current) readOn(text, bar.current);
    marks.find((mark) => !isText(mark))?.scrollIntoView({ block: "nearest" });
  };
  return {
    left,
    /** What to say of the answer that was not given. */
    heldBack: heldBack.from === contentHash ? heldBack.words : "",
    readOn: () => show(unseen().filter(isText)),
    /** Whether an answer is one to what was seen, or given in spite of what was said. @param optionId the option, if it is one */
    maySend(optionId: FormDataEntryValue | null): boolean {
      const lacks = unseen().filter((mark) => isText(mark) || mark.value === optionId);
      const keys = lacks.map((mark) => contentHash + (isText(mark) ? "" : optionId));
      if (keys.every((key) => told.current.has(key))) return true;
      if (!holdBack()) return false;
      for (const key of keys) told.current.add(key);
      setHeldBack({ from: contentHash, words: wordsFor(namesOf(lacks), total) });
      show(lacks);
      return false;
    },
  };
}

/** The texts of a question beside its own, by their names. */
export function textsOf(approval: InboxApproval): string[] {
  const { recommendation, hasBackground, additions } = approval;
  const suggested = recommendation?.trim() && !suggestedOption(approval);
  const names = [...(suggested ? ["the suggestion"] : []), ...(hasBackground ? ["the background"] : [])];
  return [...names, ...additions.map((_, at) => `Addition ${at + 1}`)];
}

/** Those that have not been in view on this page. */
export const unseenTexts = (approval: InboxApproval): string[] =>
  textsOf(approval).filter((name) => !seen.has(`${approval._id} ${name}`));

/** They have been looked at elsewhere than in the open question. */
export const markTextsRead = (approval: InboxApproval): void => {
  for (const name of textsOf(approval)) seen.add(`${approval._id} ${name}`);
};

/** The end of a text, or an option. */
type Mark = HTMLElement & { value?: string };

const isText = (mark: Mark) => mark.dataset.end !== undefined;

/** What has not been in view to its end, in the order of the page. What is in view now has been. */
function unseenOf(id: string, bar: Element): Mark[] {
  const { top, height } = bar.getBoundingClientRect();
  const marks = document.querySelectorAll<Mark>("[data-said] [data-end], [data-options] [name=optionId]");
  return [...marks].filter((mark) => {
    const part = `${id} ${mark.dataset.end ?? `option ${mark.value}`}`;
    const box = boxOf(mark);
    // An option's own edge may be cut off, and of a text no more than what is not yet called too long.
    const at = mark.getBoundingClientRect().bottom - (isText(mark) ? 4 : 12);
    const foot = Math.min(isText(mark) ? top : window.innerHeight, window.innerHeight, box.bottom + 1);
    if (height > 0 && at >= Math.max(0, box.top) - 4 && at <= foot) seen.add(part);
    return !seen.has(part);
  });
}

const namesOf = (marks: Mark[]) => marks.map(({ dataset }) => dataset.end ?? "this option");

/** What was not seen, as the owner reads it: "the background, 15 additions". @param total how many additions there are */
export function wordsFor(names: string[], total: number): string {
  const added = names.filter((name) => name.startsWith("Addition"));
  const words = names.filter((name) => !added.includes(name));
  const newest = total > 1 && added.includes(`Addition ${total}`) ? ` · newest: Addition ${total}` : "";
  if (added.length > 0) words.push(plural(added.length, { one: "# addition", other: "# additions" }) + newest);
  return words.join(", ");
}

/** Go to where reading stopped, with what is cut off there opened up. */
function readOn(mark: Mark, bar: Element) {
  const { top, bottom } = boxOf(mark);
  const from = bottom < 0 ? top : Math.max(top, Math.min(bottom, bar.getBoundingClientRect().top));
  const opens = mark.parentElement?.nextElementSibling;
  if (opens?.ariaExpanded === "false") (opens as HTMLElement).click();
  // Once it stands open. Some of what was read stays in view, or the heading of what is next comes into it.
  requestAnimationFrame(() => window.scrollBy({ top: from - 96, behavior: "instant" }));
}

const boxOf = (mark: Mark) => (mark.closest("[data-options]") ?? mark.parentElement ?? mark).getBoundingClientRect();
