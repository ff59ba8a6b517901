"use client";
import { useId, useRef } from "react";
import { ActionForm } from "@/components/actions/action-form";
import { aboutOf, useFlash } from "@/components/actions/flash-context";
import type { ActionFields } from "@/components/actions/send-action";
import { KeyButton, type Shortcut } from "@/components/keyboard/use-shortcut";
import type { ActionName } from "@/lib/web/action-registry";
import { Button, type ButtonVariant, buttonClass } from "./button";
import { SubmitButton } from "./submit-button";
import { useKeptFocus } from "./use-focus-after-unmount";
import { useHydrated } from "./use-hydrated";

type ConfirmButtonProps<Name extends ActionName> = {
  act: Name;
  fields?: ActionFields<Name>;
  label: string;
  /** The subject of the button for screen readers, if several buttons have the same label. */
  about?: string;
  question: string;
  children?: React.ReactNode;
  /** The label of the confirming button. The default is `label`. */
  confirm?: string;
  variant?: ButtonVariant;
} & Partial<Shortcut>;

/**
 * A button that asks for confirmation in a dialog or, without scripts, in a section under the
 * button.
 */
export function ConfirmButton<Name extends ActionName>(props: ConfirmButtonProps<Name>) {
  const { act, fields, label, question, children, confirm = label, variant = "danger", shortcut, description } = props;
  const named = props.about ? (
    <>
      {label}
      <span className="sr-only">: {props.about}</span>
    </>
  ) : (
    label
  );
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const alive = useHydrated();
  const isRefused = useFlash(act, aboutOf(fields))?.ok === false;
  // The action often removes this button, which has the focus.
  useKeptFocus();
  const decision = (
    <ActionForm act={act} fields={fields} className="mt-2 grid gap-4">
      {children ? <div className="text-muted">{children}</div> : null}
      <div className="flex flex-wrap justify-end gap-2">
        {alive ? (
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </Button>
        ) : null}
        <SubmitButton variant="danger">{confirm}</SubmitButton>
      </div>
    </ActionForm>
  );
  if (!alive)
    return (
      <details open={isRefused}>
        <summary className={buttonClass({ variant, size: "small" })}>{named}</summary>
        <div className="mt-2 rounded-lg border border-line bg-raised p-4">
          <p className="font-semibold">{question}</p>
          {decision}
        </div>
      </details>
    );
  return (
    <>
      <KeyButton
        {...(shortcut !== undefined && { shortcut })}
        description={description}
        cap={false}
        variant={variant}
        size="small"
        onClick={() => dialog.current?.showModal()}
      >
        {named}
      </KeyButton>
      <dialog
        ref={dialog}
        aria-labelledby={title}
        className="w-[min(28rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-5 text-ink shadow-float"
      >
        <h2 id={title} className="text-base">
          {question}
        </h2>
        {decision}
      </dialog>
    </>
  );
}
