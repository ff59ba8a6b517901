"use client";
import { useEffect, useReducer, useRef, useState } from "react";
import type { FormFields } from "@/components/actions/send-action";
import { OptionButtons } from "@/components/approvals/answer/option-buttons";
import { markTextsRead, textsOf, unseenTexts, wordsFor } from "@/components/approvals/answer/require-reading";
import { needsPasskey } from "@/components/approvals/answer-signature";
import { addressOf, type InboxApproval } from "@/components/approvals/inbox-approval";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/fields/field";
import { withSeen } from "./send-inbox-actions";
import { SignTogether } from "./sign-together";
import { restMs } from "./use-open-approval";

type BatchDialogProps = {
  /** One or more questions that are all alike (`areAlike`). */
  several: [InboxApproval, ...InboxApproval[]];
  /** The ID of the preselected option. */
  optionId: string | undefined;
  onAnswer: (form: FormFields) => void;
  onClose: () => void;
};

/**
 * Lists the selected questions, and sends one answer to all of them. If any question has unread
 * texts, the submit button must be pressed twice.
 */
export function BatchDialog({ several, optionId, onAnswer, onClose }: BatchDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, choose] = useState(optionId);
  const [first] = several;
  const label = first.options.find(({ id }) => id === chosen)?.label;
  const send = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [, looked] = useReducer((times: number) => times + 1, 0);
  /** The answer that needs the signature of the owner's passkey. */
  const [unsigned, setUnsigned] = useState<URLSearchParams>();
  const unseen = several.filter((it) => unseenTexts(it).length > 0);
  useEffect(() => dialog.current?.showModal(), []);
  // Focuses the submit button, so that Enter sends the selected option.
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
        if (
          option &&
          !unsigned &&
          !repeat &&
          !metaKey &&
          !ctrlKey &&
          !altKey &&
          !(target instanceof HTMLTextAreaElement)
        )
          choose(option.id);
      }}
      className="max-h-[calc(100dvh-2rem)] w-[min(40rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-ink shadow-float"
    >
      <h2 id="batch-title" className="text-base">
        One answer for {several.length} questions from <bdi>{first.app.name}</bdi>
      </h2>
      <Questions {...{ several, unseen, list }} onSeen={looked} />
      {unsigned ? (
        <SignTogether
          {...{ several, label }}
          answer={Object.fromEntries(unsigned)}
          onSign={(signature) => {
            unsigned.set("signature", signature);
            dialog.current?.close();
            onAnswer(unsigned);
          }}
          onBack={() => setUnsigned(undefined)}
        />
      ) : (
        <BatchForm
          {...{ several, unseen, chosen, choose, send, list }}
          onCancel={() => dialog.current?.close()}
          onAnswer={(answer) => {
            if (needsPasskey(first)) return setUnsigned(answer);
            dialog.current?.close();
            onAnswer(answer);
          }}
        />
      )}
    </dialog>
  );
}

type BatchFormProps = {
  several: [InboxApproval, ...InboxApproval[]];
  unseen: InboxApproval[];
  chosen: string | undefined;
  choose: (optionId: string) => void;
  send: React.RefObject<HTMLButtonElement | null>;
  list: React.RefObject<HTMLOListElement | null>;
  onAnswer: (answer: URLSearchParams) => void;
  onCancel: () => void;
};

/** The form with the options and a note for all questions. */
function BatchForm({ several, unseen, chosen, choose, send, list, onAnswer, onCancel }: BatchFormProps) {
  const [toldAt, setToldAt] = useState<number>();
  const [first] = several;
  const label = first.options.find(({ id }) => id === chosen)?.label;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === undefined) return;
        if (unseen.length > 0 && (toldAt === undefined || performance.now() < toldAt + restMs)) {
          if (toldAt === undefined) setToldAt(performance.now());
          list.current?.querySelector("[data-unseen]")?.scrollIntoView({ block: "nearest" });
          return;
        }
        const note = new FormData(event.currentTarget).get("note");
        const answer = withSeen(several, { optionId: chosen, note: String(note ?? "") });
        onAnswer(answer);
      }}
      className="grid gap-2"
    >
      <OptionButtons approval={first} options={first.options} chosen={chosen} onChoose={choose} />
      <details>
        <summary className="link inline-flex min-h-11 items-center font-medium">Add a note to all answers</summary>
        <label htmlFor="batch-note" className="sr-only">
          Note to {first.app.name}
        </label>
        <TextArea id="batch-note" name="note" rows={2} dir="auto" />
      </details>
      {toldAt !== undefined && unseen.length > 0 ? (
        <p role="alert">
          <b className="font-semibold">Not sent.</b> {unseen.length} of {several.length} questions{" "}
          {unseen.length === 1 ? "has" : "have"} unread text. To send anyway, press the Answer button again.
        </p>
      ) : null}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <Button ref={send} type="submit" variant="primary" disabled={chosen === undefined}>
          {label === undefined ? (
            "Choose an answer"
          ) : (
            <span className="min-w-0">
              Answer {several.length} questions with “{label}”
            </span>
          )}
        </Button>
      </div>
    </form>
  );
}

type QuestionsProps = {
  several: InboxApproval[];
  /** The questions with texts that the owner has not seen. */
  unseen: InboxApproval[];
  list: React.Ref<HTMLOListElement>;
  onSeen: () => void;
};

const Questions = ({ several, unseen, list, onSeen }: QuestionsProps) => (
  <ol
    ref={list}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    tabIndex={0}
    aria-label="Questions"
    className="my-4 max-h-72 list-decimal space-y-2 overflow-y-auto rounded-lg bg-pane forced-colors:border py-3 pe-4 ps-9"
  >
    {several.map((approval) => (
      <li key={approval._id}>
        <p dir="auto" className="whitespace-pre-line">
          {approval.question}
        </p>
        {textsOf(approval).length > 0 ? (
          <More approval={approval} unseen={unseen.includes(approval)} onSeen={onSeen} />
        ) : null}
      </li>
    ))}
  </ol>
);

type MoreProps = { approval: InboxApproval; unseen: boolean; onSeen: () => void };

/**
 * The app's other texts, collapsed. If the list doesn't include these texts, a link opens the
 * question instead.
 */
function More({ approval, unseen, onSeen }: MoreProps) {
  const { _id, recommendation, background, additions, whole } = approval;
  const names = unseen ? unseenTexts(approval) : textsOf(approval);
  const saw = () => {
    markTextsRead(approval);
    onSeen();
  };
  return (
    <details data-unseen={unseen || undefined} onToggle={(event) => whole && event.currentTarget.open && saw()}>
      <summary className="link inline-flex min-h-8 items-center">
        {unseen ? "Unread" : "Read"}: {wordsFor(names, additions.length)}
      </summary>
      {whole ? (
        <div className="grid gap-2 border-s-2 border-line ps-3">
          {textsOf(approval).includes("the suggestion") ? <p dir="auto">{recommendation}</p> : null}
          {background}
          {additions.map(({ createdAt, body }) => (
            <div key={createdAt}>{body}</div>
          ))}
        </div>
      ) : (
        <a href={addressOf(_id)} target="_blank" rel="noopener" onClick={saw} className="link">
          Open this question (new tab)
        </a>
      )}
    </details>
  );
}
