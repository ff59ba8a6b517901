"use client";
import { KeyButton } from "@/components/keys/shortcut";
import type { ButtonLook } from "@/components/ui/button";
import type { ActName } from "@/lib/web/owner-actions";
import { OwnerActionForm } from "./owner-action-form";
import type { ActionFields } from "./send";

type ActProps<Name extends ActName> = ButtonLook & {
  of: Name;
  /** What its form says, as hidden fields. */
  with: ActionFields<Name>;
  /** Its key: bound while the button is there, shown and announced with it, listed in the help and the palette. */
  shortcut?: string;
  /** What the key does, in the words of the help. */
  says?: string;
  title?: string;
  className?: string;
  children: React.ReactNode;
};

/** One thing to do, as a button: with its form, which works without scripts too, and its key. */
export function ActionButton<Name extends ActName>(props: ActProps<Name>) {
  const { of, with: fields, shortcut, says, children, ...look } = props;
  return (
    <OwnerActionForm act={of} fields={fields}>
      <KeyButton type="submit" {...(shortcut !== undefined && { shortcut })} says={says} {...look}>
        {children}
      </KeyButton>
    </OwnerActionForm>
  );
}
