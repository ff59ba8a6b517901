"use client";
import { useRef, useState } from "react";
import { useFlash } from "@/components/actions/flash-context";
import { actionUrl } from "@/components/actions/send-action";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { ShortcutSummary } from "@/components/keyboard/use-shortcut";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/fields/field";
import { Notice } from "@/components/ui/notice";
import { keepDraft } from "./drafts";
import { focusOnOpen } from "./focus-and-key-targets";

type AskBackProps = {
  approval: InboxApproval;
  /**
   * Sends the question to the app. Called only with scripts. Resolves to the reason for a failure,
   * if any.
   */
  onAsk: (form: FormData) => Promise<string | undefined>;
};

/**
 * Lets the owner ask the app a question before answering. The fields appear among those of the
 * answer but belong to a separate `form`, because forms cannot be nested.
 */
export function useClarification({ approval, onAsk }: AskBackProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const fold = useRef<HTMLDetailsElement>(null);
  const { _id: id, app } = approval;
  const flash = useFlash("approval.ask", id);
  const problem = failure ?? (flash && !flash.ok ? flash.message : undefined);

  const ask = async (form: FormData) => {
    if (busy) return;
    setBusy(true);
    const refused = await onAsk(form);
    setBusy(false);
    setFailure(refused);
    if (refused !== undefined || !fold.current) return;
    keepDraft(id, "question", "");
    const field = fold.current.querySelector("textarea");
    if (field) field.value = "";
    if (fold.current.contains(document.activeElement)) fold.current.querySelector("summary")?.focus();
    fold.current.open = false;
  };
  const form = (
    <form
      id={`ask-${id}`}
      method="post"
      action={actionUrl("approval.ask")}
      onSubmit={(event) => {
        event.preventDefault();
        void ask(new FormData(event.currentTarget));
      }}
      aria-label="Your question"
      className="contents"
    >
      <input type="hidden" name="id" value={id} />
    </form>
  );
  const fields = (
    <details ref={fold} className="open:basis-full" open={(flash && !flash.ok) || undefined}>
      <ShortcutSummary shortcut="q" description="Ask a question before you answer" onClick={focusOnOpen}>
        Ask a question{" "}
      </ShortcutSummary>
      <div className="mt-2 grid gap-2">
        <label htmlFor={`question-${id}`} className="font-medium">
          Your question to <bdi>{app.name}</bdi>
        </label>
        <TextArea
          id={`question-${id}`}
          form={`ask-${id}`}
          name="question"
          required
          maxLength={2000}
          rows={3}
          dir="auto"
        />
        {problem ? <Notice tone="danger">{problem}</Notice> : null}
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="text-muted max-sm:hidden">The question returns to your inbox when the app replies.</p>
          <Button type="submit" form={`ask-${id}`} pending={busy} className="max-sm:grow">
            Ask
          </Button>
        </div>
      </div>
    </details>
  );
  return { form, fields };
}
