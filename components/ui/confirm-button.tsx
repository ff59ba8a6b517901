"use client";
import { useId, useRef } from "react";
import { KeyButton, type Shortcut } from "@/components/keys/shortcut";
import { ActionForm, type FormAction } from "./action-form";
import { Button, type ButtonVariant, buttonClass } from "./button";
import { SubmitButton } from "./submit-button";
import { useAlive } from "./use-alive";
import { useKeptFocus } from "./use-kept-focus";

type ConfirmButtonProps = {
  action: FormAction;
  /** Sent along, as hidden fields. */
  fields?: Record<string, string>;
  label: string;
  question: string;
  children?: React.ReactNode;
  /** The words on the button that does it; the label unless told. */
  confirm?: string;
  variant?: ButtonVariant;
} & Partial<Shortcut>;

/** A button that asks once more before it acts: in a dialog, and without JavaScript in a fold under the button. */
export function ConfirmButton({ label, question, variant = "danger", shortcut, says, ...rest }: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const alive = useAlive();
  // What it ends often goes from the page, and this button with it.
  useKeptFocus();
  if (!alive)
    return (
      <details>
        <summary className={buttonClass({ variant, size: "small" })}>{label}</summary>
        <div className="mt-2 rounded-lg border border-line bg-raised p-4">
          <p className="font-semibold">{question}</p>
          <Decision {...rest} label={label} />
        </div>
      </details>
    );
  return (
    <>
      <KeyButton
        {...(shortcut !== undefined && { shortcut })}
        says={says}
        cap={false}
        variant={variant}
        size="small"
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </KeyButton>
      <dialog
        ref={dialog}
        aria-labelledby={title}
        className="w-[min(28rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-text shadow-float"
      >
        <h2 id={title} className="text-base">
          {question}
        </h2>
        <Decision {...rest} label={label} cancel={() => dialog.current?.close()} />
      </dialog>
    </>
  );
}

type DecisionProps = Omit<ConfirmButtonProps, "question" | "variant" | keyof Shortcut> & { cancel?: () => void };

function Decision({ action, fields = {}, label, confirm = label, children, cancel }: DecisionProps) {
  return (
    <ActionForm action={action} className="mt-2 grid gap-4">
      {children ? <div className="text-muted">{children}</div> : null}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        {cancel ? (
          <Button variant="quiet" onClick={cancel}>
            Cancel
          </Button>
        ) : null}
        <SubmitButton variant="danger">{confirm}</SubmitButton>
      </div>
    </ActionForm>
  );
}
