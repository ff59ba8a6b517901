"use client";
import { Notice } from "@/components/ui/notice";
import type { ActName } from "@/lib/web/owner-acts";
import { usePerform } from "./performer";
import { useSaid } from "./said";
import { type ActFields, actAddress } from "./send";

type ActFormProps<Name extends ActName> = {
  act: Name;
  /** Sent along, as hidden fields. */
  fields: ActFields<Name>;
  className?: string;
  children: React.ReactNode;
};

/** The form of an act: done by the page it is on (`Performs`), or sent, as without scripts. Its children are its buttons. */
export function ActForm<Name extends ActName>(props: ActFormProps<Name>) {
  const { act, className = "contents", children } = props;
  const fields: Partial<Record<string, string>> = props.fields;
  const said = useSaid(act, fields.id ?? fields.ids ?? fields.clientId);
  const perform = usePerform();
  return (
    <form
      method="post"
      action={actAddress(act)}
      onSubmit={(event) => {
        const { submitter } = event.nativeEvent as SubmitEvent;
        if (perform?.(act, new FormData(event.currentTarget, submitter))) event.preventDefault();
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
