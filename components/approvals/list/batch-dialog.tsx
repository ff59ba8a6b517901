"use client";
import { useEffect, useRef, useState } from "react";
import type { FormFields } from "@/components/acts/send";
import { OptionButtons } from "@/components/approvals/answer/option-buttons";
import { type InboxApproval, suggestedOption } from "@/components/approvals/types";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/fields/field";
import { withSeen } from "./acts";

type BatchDialogProps = {
  /** At least one; alike. */
  several: [InboxApproval, ...InboxApproval[]];
  /** Chosen before. */
  optionId: string | undefined;
  onAnswer: (form: FormFields) => void;
  onClose: () => void;
};

/** Every question that one answer is about to be given to, and the answer. Choosing sends nothing; the button does. */
export function BatchDialog({ several, optionId, onAnswer, onClose }: BatchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, choose] = useState(optionId);
  const [first] = several;
  const label = first.options.find(({ id }) => id === chosen)?.label;
  const send = useRef<HTMLButtonElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // What is chosen is one key from being sent.
  useEffect(() => {
    if (chosen !== undefined) send.current?.focus();
  }, [chosen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="batch-title"
      onClose={onClose}
      onKeyDown={({ key, target, repeat, metaKey, ctrlKey, altKey }) => {
        const option = /^[1-9]$/.test(key) ? first.options[Number(key) - 1] : undefined;
        if (option && !repeat && !metaKey && !ctrlKey && !altKey && !(target instanceof HTMLTextAreaElement))
          choose(option.id);
      }}
      className="max-h-[calc(100dvh-2rem)] w-[min(40rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-text shadow-float"
    >
      <h2 id="batch-title" className="text-base">
        One answer for {several.length} questions from <bdi>{first.app.name}</bdi>
      </h2>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="The questions"
        className="my-4 max-h-72 list-decimal space-y-2 overflow-y-auto rounded-lg border border-line bg-surface py-3 pe-4 ps-9"
      >
        {several.map(({ _id, question }) => (
          <li key={_id} dir="auto" className="whitespace-pre-line">
            {question}
          </li>
        ))}
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen === undefined) return;
          const note = new FormData(event.currentTarget).get("note");
          dialog.current?.close();
          onAnswer(withSeen(several, { optionId: chosen, note: String(note ?? "") }));
        }}
        className="grid gap-2"
      >
        <OptionButtons options={first.options} suggested={suggestedOption(first)} chosen={chosen} onChoose={choose} />
        <details>
          <summary className="link inline-flex min-h-11 items-center font-medium">Add note to all</summary>
          <label htmlFor="batch-note" className="sr-only">
            Note to {first.app.name}
          </label>
          <TextArea id="batch-note" name="note" rows={2} dir="auto" />
        </details>
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
          <Button ref={send} type="submit" variant="primary" disabled={chosen === undefined}>
            {label === undefined ? (
              "Choose an answer"
            ) : (
              <span className="min-w-0">
                Answer {several.length} with ‘{label}’
              </span>
            )}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
