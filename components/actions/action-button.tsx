"use client";
import { KeyButton } from "@/components/keys/shortcut";
import type { ButtonLook } from "@/components/ui/button";
import type { ActionName } from "@/lib/web/actions";
import { ActionForm } from "./action-form";
import type { ActionFields } from "./send";

type ActProps<Name extends ActionName> = ButtonLook & {
  of: Name;
  /** Its form's hidden fields. */
  with: ActionFields<Name>;
  /**
   * Its key: bound while the button is rendered, shown and announced with it, and listed in the
   * help and the palette.
   */
  shortcut?: string;
  /** The key's description in the help. */
  description?: string;
  /** Whether its key is shown. */
  cap?: boolean;
  title?: string;
  className?: string;
  children: React.ReactNode;
};

/** One action as a button, with its form, which also works without scripts, and its key. */
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
