"use client";
import { AnsweredForm, type FormProps } from "@/components/ui/answered-form";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActionName, ActionOutput } from "@/lib/web/actions";
import { aboutOf } from "./flash";
import type { ActionFields } from "./send";
import { type ActionOptions, useAction } from "./use-action";

export type ActionFormProps<Name extends ActionName> = FormProps<ActionOutput<Name>> &
  Omit<ActionOptions, "url"> & {
    act: Name;
    fields?: ActionFields<Name> | undefined;
    /** The label of the submit button, if the children include none. */
    save?: string;
    /** The same for the main button of a page for one form. */
    submit?: string;
  };

/** The form of an action (`AnsweredForm`). Its children are further fields and buttons. */
export function ActionForm<Name extends ActionName>(props: ActionFormProps<Name>) {
  const { act, fields, save, submit, prepare, leaves, children, ...rest } = props;
  const { result, to } = useAction(act, aboutOf(fields), { prepare, leaves });
  return (
    <AnsweredForm result={result} to={to} className={submit ? "grid gap-5" : "contents"} {...rest}>
      {Object.entries<string | undefined>(fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {save ? (
        <div>
          <SubmitButton size="small">{save}</SubmitButton>
        </div>
      ) : null}
      {submit ? (
        <SubmitButton variant="primary" size="wide">
          {submit}
        </SubmitButton>
      ) : null}
    </AnsweredForm>
  );
}
