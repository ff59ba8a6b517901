"use client";
import { useRef } from "react";
import { actionUrl } from "@/components/actions/send-action";
import { needsPasskey } from "@/components/approvals/answer-signature";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { lazyComponent, lazyPart } from "@/components/layout/lazy-component";
import { Notice } from "@/components/ui/notice";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { Resolution } from "@/lib/approvals/schema";
import { AnswerBar } from "./answer-bar";
import { ConfirmBar, NoteField, OwnWords } from "./answer-fields";
import { useChoosingKeys, useChosenOption, useDraft, useSendKey } from "./answer-form-hooks";
import { useClarification } from "./ask-clarification";
import { keepDraft } from "./drafts";
import { onEnter } from "./enter-key";
import { Options } from "./options-box";
import { type AfterSigning, useSigning } from "./sign/use-signing";
import { useOptionSearch } from "./use-option-search";
import { formId } from "./values/use-answer-values";

const OptionSearch = lazyComponent(() => import("./option-search").then((it) => it.OptionSearch));
const NoScriptPasskey = lazyPart(() => import("./sign/no-script-signing").then((it) => it.NoScriptPasskey));
const NoScriptSigning = lazyPart(() => import("./sign/no-script-signing").then((it) => it.NoScriptSigning));

type AnswerFormProps = {
  approval: InboxApproval;
  /** Sends the answer. Called only if scripts run. */
  onAnswer: (form: FormData) => void;
  /**
   * Adds the fields' values to the form.
   * @returns whether the form may be sent
   */
  completes: (form: FormData) => boolean;
  /** Sends the owner's question to the app. Called only if scripts run. */
  onAsk: (form: FormData) => Promise<string | undefined>;
  /** Whether the first press selects an option and a second press sends it. */
  confirms: boolean;
  /** The ID of the option that is selected but not sent yet. */
  chosen: string | undefined;
  /**
   * Selects an option; undefined clears the selection.
   * @returns whether the option is now selected
   */
  onChoose: (optionId: string | undefined) => boolean;
  /**
   * Called when an answer is blocked because text is unread. Returns false if the press doesn't
   * count, because it came too soon after the question appeared.
   */
  holdBack: () => boolean;
  /** Whether the last press came too soon after the question appeared. */
  tooSoon: boolean;
  failure?: string;
  /** The answer just given. The form shows it briefly and accepts no other answer meanwhile. */
  given: Resolution | undefined;
  after: AfterSigning;
};

/**
 * The form with the option buttons, a text field for the owner's own answer, and a note. No option
 * is preselected. Drafts are kept until they are sent.
 */
export function AnswerForm(props: AnswerFormProps) {
  const { approval, onAnswer, completes, onAsk, confirms, chosen, onChoose, holdBack, tooSoon, given, after } = props;
  const { _id: id, options } = approval;
  // A revoked app can't read the owner's question.
  const asks = !approval.app.revoked;
  const alive = useHydrated();
  // If scripts run, the owner signs on a sheet.
  const signs = alive && (approval.risk === "high" || needsPasskey(approval));
  const form = useRef<HTMLFormElement>(null);
  const ownWords = useRef<HTMLButtonElement>(null);
  const search = useOptionSearch(options, alive);
  const askBack = useClarification({ approval, onAsk });
  const choice = useChosenOption(approval, chosen);
  const picked = given || signs ? undefined : choice.picked;
  const signing = useSigning({ approval, given, onChoose, onAnswer, after });
  const problem = props.failure ?? choice.failure;
  const send = useSendKey(id, picked);
  const noteFold = useChoosingKeys({ found: search.found, onChoose: signs ? () => true : onChoose, form });
  useDraft(form, id);

  return (
    <>
      <AnswerBar {...{ approval, holdBack, tooSoon }} steady={search.isOffered}>
        {search.isOffered ? <OptionSearch id={id} total={options.length} search={search} /> : null}
        {asks ? askBack.form : null}
        <form
          ref={form}
          id={formId(id)}
          method="post"
          action={actionUrl("approval.answer")}
          // An invalid value must not block an answer without values. `completes` checks values.
          noValidate={approval.fields !== undefined}
          onSubmit={(event) => {
            event.preventDefault();
            const { submitter } = event.nativeEvent as SubmitEvent;
            const answer = new FormData(event.currentTarget, submitter);
            if (completes(answer) && !signing.opens(answer)) onAnswer(answer);
          }}
          onInput={(event) => {
            const { name, value } = event.target as HTMLTextAreaElement;
            keepDraft(id, name, value);
          }}
          onKeyDown={(event) =>
            onEnter(event, picked !== undefined, () => ({ choice: send.ref.current, "own words": ownWords.current }))
          }
          aria-label="Your answer"
          className="flex min-h-0 grow flex-col gap-2"
        >
          {problem ? <Notice tone="danger">{problem}</Notice> : null}
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="seen" value={approval.contentHash} />
          {/* The browser's code renders nothing in here, so it loads neither of the two. */}
          <noscript>
            {needsPasskey(approval) ? (
              <NoScriptPasskey />
            ) : approval.risk === "high" ? (
              <NoScriptSigning approval={approval} />
            ) : null}
          </noscript>
          <Options
            {...{ approval, given }}
            options={search.found}
            chosen={picked?.id}
            onChoose={alive && !signs && (confirms || picked) ? onChoose : undefined}
          />
          {picked ? <ConfirmBar {...{ approval, picked, send }} onCancel={() => onChoose(undefined)} /> : null}
          <div className="mt-auto flex shrink-0 flex-wrap gap-x-5 max-sm:justify-center">
            <OwnWords id={id} given={given} button={ownWords} />
            <NoteField approval={approval} note={choice.note} fold={noteFold} />
            {asks ? askBack.fields : null}
          </div>
        </form>
      </AnswerBar>
      {signing.sheet}
    </>
  );
}
