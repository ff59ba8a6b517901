"use client";
import { useEffect, useRef, useState } from "react";
import { useSaid } from "@/components/acts/said";
import { actAddress } from "@/components/acts/send";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { KeySummary, useKeysHere, useShortcut } from "@/components/keys/shortcut";
import { keepsFocus } from "@/components/triage/focus";
import { Button } from "@/components/ui/button";
import { TextArea, TextInput } from "@/components/ui/fields/field";
import { CheckIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { useAlive } from "@/components/ui/use-alive";
import type { Answer } from "@/lib/approvals/schema";
import { useAskBack } from "./ask-back";
import { keepDraft, readDraft } from "./drafts";
import { isInDecision, typeIn, typeNext } from "./in-decision";
import { OptionButtons } from "./option-buttons";

type AnswerFormProps = {
  approval: InboxApproval;
  /** With scripts. */
  onAnswer: (form: FormData) => void;
  /** The same for a question to the app. */
  onAsk: (form: FormData) => Promise<string | undefined>;
  /** Whether a press chooses, and a second one sends. */
  confirms: boolean;
  /** The option that is chosen and not sent. */
  chosen: string | undefined;
  /** @returns whether it is chosen now */
  onChoose: (optionId: string) => boolean;
  failure?: string;
  /** The answer that was just given; it shows as that for a moment, and takes no other. */
  given: Answer | undefined;
};

/** From so many options on they can be searched. */
const many = 10;

/**
 * The options as buttons that send, an answer in the owner's own words, and a note that goes with either. Nothing is
 * chosen in advance and nothing takes the focus. What was typed is kept until it has been sent.
 */
export function AnswerForm({ approval, onAnswer, onAsk, confirms, chosen, onChoose, failure, given }: AnswerFormProps) {
  const [sought, seek] = useState("");
  const alive = useAlive();
  const form = useRef<HTMLFormElement>(null);
  const askBack = useAskBack({ approval, onAsk });
  // Who was taken the access from could not read it.
  const asks = !approval.app.revoked;
  const { _id: id, options } = approval;
  const said = useSaid("approval.answer", id);
  const asksAgain = said?.ok && said.value && "chosen" in said.value ? said.value : undefined;
  const picked = given ? undefined : options.find((option) => option.id === (chosen ?? asksAgain?.chosen));
  const problem = failure ?? (said && !said.ok ? said.message : undefined);
  const short = options.length <= 4 && options.every(({ label, note = "" }) => label.length + note.length <= 90);
  const words = sought.trim().toLowerCase();
  const found = options.filter(({ label, note = "" }) => `${label}\n${note}`.toLowerCase().includes(words));

  const search = useShortcut<HTMLInputElement>(
    alive && options.length >= many ? { shortcut: "f", says: "Find an option" } : {},
    (box) => box.focus(),
  );
  const send = useShortcut<HTMLButtonElement>(picked ? { shortcut: "Enter" } : {}, (button) => {
    const on = document.activeElement?.closest("button, a, summary");
    // The row of the open question has the focus after each answer: there Enter would only open it again.
    if (on && !on.matches(`[data-row="${id}"]`)) return false;
    button.form?.requestSubmit(button);
  });
  const ownWords = useRef<HTMLButtonElement>(null);
  const noteFold = useRef<HTMLDetailsElement>(null);
  useKeysHere([
    ...found.slice(0, 9).map((option, place) => ({
      keys: `Shift+${place + 1}`,
      ...(place === 0 && { says: "Choose that option and add a note first" }),
      run: () => onChoose(option.id) && typeIn(noteFold.current),
    })),
    {
      keys: "ArrowRight",
      run: (event) =>
        isInDecision(event) ? false : form.current?.querySelector<HTMLElement>("[name=optionId]")?.focus(),
    },
  ]);

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
    <div ref={keepsFocus} className="contents">
      {alive && options.length >= many ? (
        <div className="grid gap-1.5">
          <label htmlFor={`find-${id}`} className="font-medium">
            Find among {options.length} options
          </label>
          <TextInput
            id={`find-${id}`}
            type="search"
            data-find
            {...search}
            value={sought}
            onChange={(event) => seek(event.target.value)}
          />
          <p role="status" className={words ? "text-muted" : "sr-only"}>
            {words ? `${found.length} of ${options.length}` : ""}
          </p>
        </div>
      ) : null}
      {asks ? askBack.form : null}
      <form
        ref={form}
        method="post"
        action={actAddress("approval.answer")}
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent as SubmitEvent;
          onAnswer(new FormData(event.currentTarget, submitter));
        }}
        onInput={(event) => {
          const { name, value } = event.target as HTMLTextAreaElement;
          keepDraft(id, name, value);
        }}
        onKeyDown={(event) => {
          const press = (button: HTMLButtonElement | null) => {
            event.preventDefault();
            if (button) event.currentTarget.requestSubmit(button);
          };
          if (event.key !== "Enter" || event.repeat || !(event.target instanceof Element)) return;
          const { name, ariaPressed } = event.target as HTMLTextAreaElement;
          if (event.metaKey || event.ctrlKey) {
            if (name === "otherText") press(ownWords.current);
            else if (name === "note" && picked) press(send.ref.current);
            else if (name === "question") (event.target as HTMLTextAreaElement).form?.requestSubmit();
          } else if (ariaPressed === "true") press(send.ref.current);
        }}
        aria-label="Your answer"
        className={`grid gap-2 ${short ? within : ""}`}
      >
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="seen" value={approval.contentHash} />
        <OptionButtons
          options={found}
          suggested={suggestedOption(approval)}
          chosen={picked?.id}
          onChoose={alive && (confirms || picked) ? onChoose : undefined}
          given={given}
        />
        {found.length === 0 ? <p className="text-muted">No option matches.</p> : null}
        {picked ? (
          <div
            className={`flex flex-wrap items-center gap-3 rounded-lg border border-accent bg-accent-soft px-3.5 py-2.5 ${short ? "" : "sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-10 shadow-float sm:bottom-4"}`}
          >
            <input type="hidden" name="confirmed" value={picked.id} />
            <p className="min-w-0 grow">
              Chosen, not sent yet: <bdi className="font-semibold">{picked.label}</bdi>
            </p>
            <Button type="submit" variant="primary" name="optionId" value={picked.id} formNoValidate {...send}>
              Send
            </Button>
          </div>
        ) : null}
        <div className={`grid gap-2 ${asks ? "grid-cols-3" : "grid-cols-2"}`}>
          <details className="group/other open:col-span-full">
            <KeySummary shortcut="o" says="Answer in your own words" onClick={typeNext} className="w-full max-sm:px-2">
              Other…
            </KeySummary>
            <div className="mt-2 grid gap-2">
              <label htmlFor={`other-${id}`} className="font-medium">
                Your own answer
              </label>
              <TextArea id={`other-${id}`} name="otherText" required rows={3} dir="auto" />
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="text-muted max-sm:hidden">Sent as written, instead of an option.</p>
                <Button type="submit" variant="primary" ref={ownWords} className="min-w-0 max-sm:grow">
                  {given?.otherText === undefined ? (
                    "Send this answer"
                  ) : (
                    <>
                      <span className="truncate">Answered · {given.otherText}</span>
                      <CheckIcon className="drawn" />
                    </>
                  )}
                </Button>
              </div>
            </div>
          </details>
          <details ref={noteFold} className="open:col-span-full" open={asksAgain?.note !== undefined || undefined}>
            <KeySummary shortcut="n" says="Add a note" onClick={typeNext} className="w-full max-sm:px-2">
              Add note
            </KeySummary>
            <div className="mt-2 grid gap-2">
              <label htmlFor={`note-${id}`} className="font-medium">
                Note to <bdi>{approval.app.name}</bdi>
              </label>
              <TextArea id={`note-${id}`} name="note" rows={2} dir="auto" defaultValue={asksAgain?.note} />
              <p className="text-muted">Sent with whichever answer you pick.</p>
            </div>
          </details>
          {asks ? askBack.fields : null}
        </div>
      </form>
    </div>
  );
}

/**
 * Few short options stay in sight however long the text above them is: over a phone's bar, at the foot of a wide page. Not
 * on a low screen, where they would leave nothing to see of the question.
 */
const within =
  "[@media(min-height:40rem)]:sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 -mx-4 border-t border-line bg-surface " +
  "px-4 py-3 has-[details[open]]:static! sm:bottom-0 sm:-mx-6 sm:bg-bg sm:px-6";
