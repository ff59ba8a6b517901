"use client";
import { KeyButton } from "@/components/keyboard/use-shortcut";
import type { ButtonLook } from "@/components/ui/button";
import type { ActionName } from "@/lib/web/action-registry";
import { ActionForm } from "./action-form";
import type { ActionFields } from "./send-action";

type ActProps<Name extends ActionName> = ButtonLook & {
  of: Name;
  /** The hidden fields of the button's form. */
  with: ActionFields<Name>;
  /** The keyboard shortcut, active while the button is rendered. Screen readers announce it. */
  shortcut?: string;
  /** The shortcut's description in the help. */
  description?: string;
  /** Whether the button shows its shortcut. */
  cap?: boolean;
  title?: string;
  className?: string;
  children: React.ReactNode;
};

/**
 * A form with a single button, and the button's keyboard shortcut. The form works without scripts.
 */
export function ActionButton<Name extends ActionName>(props: ActProps<Name>) {
  const { of, with: fields, shortcut, description, children, ...look } = props;
  return (
    <ActionForm act={of} fields={fields}>
      <KeyButton type="submit" {...(shortcut !== undefined && { shortcut })} description={description} {...look}>
        {children}
      </KeyButton>
    </ActionForm>
  );
}
