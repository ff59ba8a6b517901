"use client";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { ShortcutSummary } from "@/components/keyboard/use-shortcut";
import { Button, buttonClass } from "@/components/ui/button";
import { TextArea } from "@/components/ui/fields/field";
import { CheckIcon } from "@/components/ui/icons";
import type { ApprovalOption } from "@/lib/approvals/content/option-schema";
import type { Answer } from "@/lib/approvals/schema";
import type { useSendKey } from "./answer-form-hooks";
import { focusOnOpen } from "./focus-and-key-targets";

type ConfirmBarProps = {
  approval: InboxApproval;
  picked: ApprovalOption;
  send: ReturnType<typeof useSendKey>;
  onCancel: () => void;
};

/** The chosen option, with the button that sends it. */
export function ConfirmBar({ approval, picked, send, onCancel }: ConfirmBarProps) {
  const dangerous = picked.style === "danger";
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2">
      <input type="hidden" name="confirmed" value={picked.id} />
      <p className="line-clamp-2 min-w-0 grow basis-24 font-medium">
        Answer “<bdi>{picked.label}</bdi>”?
      </p>
      <a
        // Without scripts, the link opens the question with no option selected.
        href={addressOf(approval._id)}
        onClick={(event) => {
          event.preventDefault();
          const form = event.currentTarget.closest("form");
          form?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
          onCancel();
        }}
        className={buttonClass({ variant: "quiet" })}
      >
        Cancel
      </a>
      <Button
        type="submit"
        variant={dangerous ? "danger" : "primary"}
        name="optionId"
        value={picked.id}
        formNoValidate
        className="min-w-0"
        {...send}
      >
        Send
      </Button>
    </div>
  );
}

type OwnWordsProps = { id: string; given: Answer | undefined; button: React.Ref<HTMLButtonElement> };

/** An answer in the owner's own words. */
export const OwnWords = ({ id, given, button }: OwnWordsProps) => (
  <details className="open:basis-full">
    <ShortcutSummary shortcut="o" description="Answer in your own words" onClick={focusOnOpen}>
      Write an answer{" "}
    </ShortcutSummary>
    <div className="mt-2 grid gap-2">
      <label htmlFor={`other-${id}`} className="font-medium">
        Your own answer
      </label>
      <TextArea id={`other-${id}`} name="otherText" required rows={3} dir="auto" />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" ref={button} className="min-w-0 max-sm:grow">
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
);

type NoteFieldProps = {
  approval: InboxApproval;
  /** The text typed in the first step, for browsers without scripts. */
  note: string | undefined;
  fold: React.Ref<HTMLDetailsElement>;
};

/** A note to the app, sent along with the answer. */
export const NoteField = ({ approval: { _id: id, app }, note, fold }: NoteFieldProps) => (
  <details ref={fold} className="open:basis-full" open={note !== undefined || undefined}>
    <ShortcutSummary shortcut="n" description="Add a note" onClick={focusOnOpen}>
      Add a note
    </ShortcutSummary>
    <div className="mt-2 grid gap-2">
      <label htmlFor={`note-${id}`} className="font-medium">
        Note to <bdi>{app.name}</bdi>
      </label>
      <TextArea id={`note-${id}`} name="note" rows={2} dir="auto" defaultValue={note} />
    </div>
  </details>
);
