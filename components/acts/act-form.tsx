"use client";
import { AnsweredForm, type FormProps } from "@/components/ui/action-form";
import { SubmitButton } from "@/components/ui/submit-button";
import type { ActName, ActOutput } from "@/lib/web/owner-actions";
import { aboutOf } from "./said";
import type { ActFields } from "./send";
import { useAct } from "./use-act";

export type ActFormProps<Name extends ActName> = FormProps<ActOutput<Name>> & {
  act: Name;
  fields?: ActFields<Name> | undefined;
  /** What the button below its children says, where they bring none. */
  save?: string;
};

/** The form of an owner's act (`AnsweredForm`). Its children are its other fields and its buttons. */
export function ActForm<Name extends ActName>(props: ActFormProps<Name>) {
  const { act, fields, save, children, className = "contents", ...rest } = props;
  const { result, to } = useAct(act, aboutOf(fields));
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
