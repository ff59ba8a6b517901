"use client";
import { useEffect, useRef, useState } from "react";
import { useFlash } from "@/components/actions/flash";
import { actionUrl } from "@/components/actions/send";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { ShortcutSummary, useSectionKeys, useShortcut } from "@/components/keys/shortcut";
import { Button } from "@/components/ui/button";
import { TextArea, TextInput } from "@/components/ui/fields/field";
import { CheckIcon } from "@/components/ui/icons";
import { Notice } from "@/components/ui/notice";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { Answer } from "@/lib/approvals/schema";
import { AnswerBar } from "./answer-bar";
import { useClarification } from "./ask-clarification";
import { keepDraft, readDraft } from "./drafts";
import { focusOnOpen, isInDecision, openAndFocus } from "./focus";
import { OptionButtons } from "./option-buttons";
import { OptionsBox } from "./options-box";
import { usePressAndHold } from "./use-press-and-hold";

type AnswerFormProps = {
  approval: InboxApproval;
  /** With scripts. */
  onAnswer: (form: FormData) => void;
  /** With scripts, for a question to the app. */
  onAsk: (form: FormData) => Promise<string | undefined>;
  /** Whether the first press chooses and the second sends. */
  confirms: boolean;
  /** The option that is chosen but not sent. */
  chosen: string | undefined;
  /** @returns whether it is now chosen */
  onChoose: (optionId: string) => boolean;
  /** Holds back an answer to unread text. False while presses do not count. */
  holdBack: () => boolean;
  /** Whether a press came before presses count. */
  tooSoon: boolean;
  failure?: string;
  /** The answer just given: shown briefly, while no other is accepted. */
  given: Answer | undefined;
};

/** From this number of options on there is a search box. */
const many = 10;

/**
 * Option buttons, a written answer, and a note. Nothing is preselected; drafts are kept until
 * sent.
 */
const wide = "w-full max-sm:px-2";

export function AnswerForm(props: AnswerFormProps) {
  const { approval, onAnswer, onAsk, confirms, chosen, onChoose, holdBack, tooSoon, failure, given } = props;
  const [sought, seek] = useState("");
  const alive = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const askBack = useClarification({ approval, onAsk });
  // A revoked app could not read a question.
  const asks = !approval.app.revoked;
  const { _id: id, options } = approval;
  const careful = approval.risk === "high";
  const hold = usePressAndHold(form, careful ? approval.contentHash : undefined);
  const said = useFlash("approval.answer", id);
  const asksAgain = said?.ok && said.value && "chosen" in said.value ? said.value : undefined;
  const picked = given ? undefined : options.find((option) => option.id === (chosen ?? asksAgain?.chosen));
  const problem = failure ?? (said && !said.ok ? said.message : undefined);
  const words = sought.trim().toLowerCase();
  const found = options.filter(({ label, note = "" }) => `${label}\n${note}`.toLowerCase().includes(words));

  const search = useShortcut<HTMLInputElement>(
    alive && options.length >= many ? { shortcut: "f", says: "Find an option" } : {},
    (box) => box.focus(),
  );
  const send = useShortcut<HTMLButtonElement>(picked ? { shortcut: "Enter" } : {}, (button) => {
    const on = document.activeElement?.closest("button, a, summary");
    // After each answer the open question's row has the focus: Enter would only reopen it.
    if (on && !on.matches(`[data-row="${id}"]`)) return false;
    button.form?.requestSubmit(button);
  });
  const ownWords = useRef<HTMLButtonElement>(null);
  const noteFold = useRef<HTMLDetailsElement>(null);
  useSectionKeys([
    ...found.slice(0, 9).map((option, place) => ({
      keys: `Shift+${place + 1}`,
      ...(place === 0 && { says: "Choose that option and add a note first" }),
      run: () => onChoose(option.id) && openAndFocus(noteFold.current),
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
    <AnswerBar {...{ approval, holdBack, tooSoon }} steady={options.length >= many}>
      {options.length >= many ? (
        <div className="flex items-center gap-3 noscript:hidden">
          <label htmlFor={`find-${id}`} className="sr-only">
            Find an option
          </label>
          <TextInput
            id={`find-${id}`}
            type="search"
            data-find
            placeholder={`Search ${options.length} options`}
            {...search}
            value={sought}
            onChange={(event) => seek(event.target.value)}
          />
          <p role="status" className={words ? "shrink-0 text-muted tabular-nums" : "sr-only"}>
            {words ? `${found.length} of ${options.length}` : ""}
          </p>
        </div>
      ) : null}
      {asks ? askBack.form : null}
      <form
        ref={form}
        method="post"
        action={actionUrl("approval.answer")}
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
        className="flex min-h-0 grow flex-col gap-2"
      >
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="seen" value={approval.contentHash} />
        {careful ? (
          <p className="shrink-0 text-muted">
            <span className="noscript:hidden">Press and hold an answer to send it, or press it and confirm.</span>
            <span className="hidden noscript:inline">You’ll confirm your answer in a second step.</span>
          </p>
        ) : null}
        <OptionsBox>
          <OptionButtons
            options={found}
            suggested={suggestedOption(approval)}
            chosen={picked?.id}
            onChoose={alive && (confirms || picked) ? onChoose : undefined}
            onHold={careful ? hold : undefined}
            given={given}
          />
          {found.length === 0 ? <p className="text-muted">No option matches.</p> : null}
        </OptionsBox>
        {picked ? (
          <div
            className={`flex shrink-0 items-center gap-3 rounded-lg border py-1.5 ps-3.5 pe-1.5 ${picked.style === "danger" ? "border-danger bg-danger-soft" : "border-accent bg-accent-soft"}`}
          >
            <input type="hidden" name="confirmed" value={picked.id} />
            <p className="line-clamp-2 min-w-0 grow">
              {careful ? (
                "Not sent yet."
              ) : (
                <>
                  Chosen, not sent yet: <bdi className="font-semibold">{picked.label}</bdi>
                </>
              )}
            </p>
            <Button
              type="submit"
              variant={picked.style === "danger" ? "danger" : "primary"}
              name="optionId"
              value={picked.id}
              formNoValidate
              {...send}
            >
              {careful ? (
                <span className="min-w-0">
                  Confirm: <bdi>{picked.label}</bdi>
                </span>
              ) : (
                "Send"
              )}
            </Button>
          </div>
        ) : null}
        <div className={`mt-auto grid shrink-0 gap-2 ${asks ? "grid-cols-3" : "grid-cols-2"}`}>
          <details className="group/other open:col-span-full">
            <ShortcutSummary shortcut="o" says="Answer in your own words" onClick={focusOnOpen} className={wide}>
              Other…
            </ShortcutSummary>
            <div className="mt-2 grid gap-2">
              <label htmlFor={`other-${id}`} className="font-medium">
                Your own answer
              </label>
              <TextArea id={`other-${id}`} name="otherText" required rows={3} dir="auto" />
              <div className="flex flex-wrap items-center justify-between gap-2">
                <p className="text-muted max-sm:hidden">Your text is sent instead of an option.</p>
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
            <ShortcutSummary shortcut="n" says="Add a note" onClick={focusOnOpen} className={wide}>
              Add note
            </ShortcutSummary>
            <div className="mt-2 grid gap-2">
              <label htmlFor={`note-${id}`} className="font-medium">
                Note to <bdi>{approval.app.name}</bdi>
              </label>
              <TextArea id={`note-${id}`} name="note" rows={2} dir="auto" defaultValue={asksAgain?.note} />
              <p className="text-muted">Sent along with your answer.</p>
            </div>
          </details>
          {asks ? askBack.fields : null}
        </div>
      </form>
    </AnswerBar>
  );
}
