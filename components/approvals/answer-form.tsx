"use client";
import { useActionState, useEffect, useRef } from "react";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { keepDraft, readDraft } from "./drafts";
import { type Asked, type PostAnswer, suggestedOption } from "./types";

type AnswerFormProps = {
  asked: Asked;
  /** Where the form goes without scripts. */
  post: PostAnswer;
  /** With scripts. */
  onAnswer: (form: FormData) => void;
  /** Why the last answer did not arrive. */
  failure?: string;
};

/**
 * The options as buttons that send, an answer in the owner's own words, and a note that goes with either. Nothing is
 * chosen in advance and nothing takes the focus. What was typed is kept until it has been sent.
 */
export function AnswerForm({ asked, post, onAnswer, failure }: AnswerFormProps) {
  const [posted, send] = useActionState(post, null);
  const form = useRef<HTMLFormElement>(null);
  const { _id: id, options } = asked;
  const suggested = suggestedOption(asked);
  const problem = failure ?? (posted && !posted.ok ? posted.message : undefined);
  const short = options.length <= 4 && options.every(({ label, note = "" }) => label.length + note.length <= 90);

  useEffect(() => {
    const fields = form.current?.querySelectorAll("textarea") ?? [];
    const draft = readDraft(id);
    for (const field of fields) {
      const kept = draft[field.name];
      if (!kept) continue;
      field.value = kept;
      field.closest("details")?.setAttribute("open", "");
    }
  }, [id]);

  return (
    <form
      ref={form}
      action={send}
      onSubmit={(event) => {
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        onAnswer(new FormData(event.currentTarget, submitter));
      }}
      // A form whose action has ended is emptied by React; what was refused keeps its words.
      onReset={(event) => event.preventDefault()}
      onInput={(event) => {
        const { name, value } = event.target as HTMLTextAreaElement;
        keepDraft(id, name, value);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        if ((event.target as HTMLTextAreaElement).name === "otherText")
          event.currentTarget.requestSubmit(event.currentTarget.querySelector<HTMLButtonElement>("[data-other]"));
      }}
      aria-label="Your answer"
      className={`grid gap-2 ${short ? within : ""}`}
    >
      {problem ? <Notice tone="danger">{problem}</Notice> : null}
      <input type="hidden" name="id" value={id} />
      {options.map((option, at) => (
        <button
          key={option.id}
          type="submit"
          name="optionId"
          value={option.id}
          formNoValidate
          {...(at < 9 ? { "aria-keyshortcuts": String(at + 1) } : {})}
          className="flex min-h-13 w-full items-start gap-3 rounded-lg border border-edge bg-raised px-3.5 py-3 text-left transition-colors duration-100 hover:border-accent hover:bg-accent-soft"
        >
          <Key shown={at < 9}>{at + 1}</Key>
          <span className="min-w-0 grow">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <bdi className="text-base font-medium">{option.label}</bdi>
              {option === suggested ? <Badge tone="accent">Suggested</Badge> : null}
            </span>
            {option.note ? (
              <span dir="auto" className="mt-0.5 block text-muted">
                {option.note}
              </span>
            ) : null}
          </span>
        </button>
      ))}
      <div className="grid grid-cols-2 gap-2">
        <details className="group/other open:col-span-2">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
          <summary data-key="o" aria-keyshortcuts="o" onClick={typeNext} className={`${buttonClass()} w-full`}>
            <Key shown>o</Key>
            Other…
          </summary>
          <div className="mt-2 grid gap-2">
            <label htmlFor={`other-${id}`} className="font-medium">
              Your own answer
            </label>
            <TextArea id={`other-${id}`} name="otherText" required rows={3} dir="auto" />
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-muted max-sm:hidden">Sent as it stands, in place of the options.</p>
              <Button type="submit" variant="primary" data-other className="max-sm:grow">
                Send this answer
              </Button>
            </div>
          </div>
        </details>
        <details className="open:col-span-2">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button by nature */}
          <summary data-key="n" aria-keyshortcuts="n" onClick={typeNext} className={`${buttonClass()} w-full`}>
            <Key shown>n</Key>
            Add note
          </summary>
          <div className="mt-2 grid gap-2">
            <label htmlFor={`note-${id}`} className="font-medium">
              Note to <bdi>{asked.app.name}</bdi>
            </label>
            <TextArea id={`note-${id}`} name="note" rows={2} dir="auto" />
            <p className="text-muted">Goes with whichever answer you pick.</p>
          </div>
        </details>
      </div>
    </form>
  );
}

/** Whoever opens a text box wants to type in it. */
const typeNext = (event: React.MouseEvent<HTMLElement>) => {
  const fold = event.currentTarget.closest("details");
  if (fold && !fold.open) requestAnimationFrame(() => fold.querySelector("textarea")?.focus());
};

/**
 * Few short options stay in sight however long the text above them is: over a phone's bar, at the foot of a wide page. Not
 * on a low screen, where they would leave nothing to see of the question.
 */
const within =
  "[@media(min-height:40rem)]:sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 -mx-4 border-t border-line bg-surface " +
  "px-4 py-3 has-[details[open]]:static! sm:bottom-0 sm:-mx-6 sm:bg-bg sm:px-6";

/** The key that does the same; only where a keyboard is likely. */
function Key({ shown, children }: { shown: boolean; children: React.ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={`hidden size-6 shrink-0 items-center justify-center rounded border border-line bg-bg font-sans text-xs text-muted tabular-nums in-data-[keys=off]:hidden! ${shown ? "lg:inline-flex" : "lg:invisible lg:inline-flex"}`}
    >
      {children}
    </span>
  );
}
