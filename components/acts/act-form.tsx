"use client";
import { Notice } from "@/components/ui/notice";
import type { ActName } from "@/lib/web/owner-acts";
import { useSaid } from "./said";
import { type ActFields, actAddress } from "./send";

type ActFormProps<Name extends ActName> = {
  act: Name;
  /** Sent along, as hidden fields. */
  fields: ActFields<Name>;
  /** What is done where scripts run, in place of sending the form. */
  onSend?: (form: FormData) => void;
  className?: string;
  children: React.ReactNode;
};

/** The form of an act, which works with scripts and without. Its children are its buttons. */
export function ActForm<Name extends ActName>(props: ActFormProps<Name>) {
  const { act, onSend, className = "contents", children } = props;
  const fields: Partial<Record<string, string>> = props.fields;
  const said = useSaid(act, fields.id ?? fields.ids ?? fields.clientId);
  return (
    <form
      method="post"
      action={actAddress(act)}
      onSubmit={(event) => {
        if (!onSend) return;
        event.preventDefault();
        const { submitter } = event.nativeEvent as SubmitEvent;
        onSend(new FormData(event.currentTarget, submitter));
      }}
      className={className}
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      {said && !said.ok ? <Notice tone="danger">{said.message}</Notice> : null}
    </form>
  );
}
