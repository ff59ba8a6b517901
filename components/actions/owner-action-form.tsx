"use client";
import { AnsweredForm, type FormProps } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";
import { aboutOf } from "./flash";
import type { ActionFields } from "./send";
import { useOwnerAction } from "./use-owner-action";

export type OwnerActionFormProps<Name extends ActName> = FormProps<ActOutput<Name>> & {
  act: Name;
  fields?: ActionFields<Name> | undefined;
  /** The label of the submit button, if the children include none. */
  save?: string;
};

/** The form of an owner's action (`AnsweredForm`). Its children are further fields and buttons. */
export function OwnerActionForm<Name extends ActName>(props: OwnerActionFormProps<Name>) {
  const { act, fields, save, children, className = "contents", ...rest } = props;
  const { result, to } = useOwnerAction(act, aboutOf(fields));
  return (
    <AnsweredForm result={result} to={to} className={className} {...rest}>
      {Object.entries<string | undefined>(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {save ? (
        <div>
          <SubmitButton size="small">{save}</SubmitButton>
        </div>
      ) : null}
    </AnsweredForm>
  );
}
