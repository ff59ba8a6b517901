"use client";
import { useEffect, useId, useRef, useState } from "react";
import type { InboxApproval } from "@/components/approvals/inbox-approval";
import { choicesOf, isItems, isMoney } from "@/lib/approvals/fields/field-kinds";
import type {
  ChoicesField,
  FieldSchema,
  MoneyField,
  NumberField,
  StringField,
} from "@/lib/approvals/fields/field-schema";
import { controlName } from "@/lib/approvals/fields/form-values";
import { ItemVerdicts } from "./item-verdicts";
import { valueInWords } from "./shown-values";
import { formId } from "./use-answer-values";

export type FieldControlProps = {
  approval: InboxApproval;
  name: string;
  field: FieldSchema;
  required: boolean;
  problem: string | undefined;
  /** The texts of a form that was sent without scripts, by control. */
  typed: Readonly<Record<string, string>>;
  /** Grows with each change of any field. */
  changes: number;
};

const box =
  "min-h-11 w-full rounded-lg border border-edge bg-raised px-3 py-2.5 text-base text-ink placeholder:text-muted aria-invalid:border-danger aria-invalid:border-2 sm:text-sm";
const choiceLine = "flex min-h-11 items-center gap-2 sm:min-h-10";

/** One field with its label, hint, problem and the app's proposal. */
export function FieldControl(props: FieldControlProps) {
  const { field, name, required, problem, changes } = props;
  const id = useId();
  const label = field.title ?? name;
  const grouped = isItems(field) || field.type === "array" || radios(field);
  const described = [field.description ? `${id}-hint` : "", problem ? `${id}-error` : ""].filter(Boolean).join(" ");
  const group = useRef<HTMLDivElement>(null);
  // In a form that was sent without scripts, the controls' defaults are the owner's texts.
  const [changed, setChanged] = useState(wasSent(props));
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares again after each change
  useEffect(() => setChanged(wasSent(props) || isChanged(group.current)), [changes]);
  const wires = {
    ...(described && { "aria-describedby": described }),
    ...(problem && { "aria-invalid": true as const }),
  };
  const heading = (
    <>
      <bdi>{label}</bdi>
      {required || field.type === "boolean" ? null : <span className="font-normal text-muted"> (optional)</span>}
    </>
  );
  return (
    <div
      ref={group}
      className="grid gap-1.5"
      data-field={name}
      {...(grouped && {
        role: "group",
        "aria-labelledby": `${id}-label`,
        ...(described && { "aria-describedby": described }),
      })}
    >
      {grouped ? (
        <p id={`${id}-label`} className="font-medium">
          {heading}
        </p>
      ) : field.type === "boolean" ? null : (
        <label htmlFor={id} className="font-medium">
          {heading}
        </label>
      )}
      <Control {...props} id={id} wires={wires} heading={heading} />
      {field.description ? (
        <p id={`${id}-hint`} dir="auto" className="text-muted">
          {field.description}
        </p>
      ) : null}
      {changed && field.default !== undefined ? (
        <p className="text-muted">
          <bdi>{props.approval.app.name}</bdi> proposed <bdi>{valueInWords(field, field.default)}</bdi>
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-error`} role="alert" className="font-medium text-danger">
          {problem}
        </p>
      ) : null}
    </div>
  );
}

/** Whether the page shows a form that was sent without scripts. */
const wasSent = ({ typed }: Pick<FieldControlProps, "typed">) => Object.keys(typed).length > 0;

/** Whether any control in the group differs from its default. */
function isChanged(group: HTMLElement | null): boolean {
  const controls = group?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(
    "input, textarea, select",
  );
  return [...(controls ?? [])].some((it) => {
    if (it.type === "hidden") return false;
    if (it instanceof HTMLSelectElement) return [...it.options].some((one) => one.selected !== one.defaultSelected);
    if (it instanceof HTMLInputElement && ["checkbox", "radio"].includes(it.type))
      return it.checked !== it.defaultChecked;
    return it.value !== it.defaultValue;
  });
}

/** The maximum number of choices that are shown as radio buttons instead of a menu. */
const maxRadios = 5;
const radios = (field: FieldSchema) => field.type === "string" && (choicesOf(field)?.length ?? 99) <= maxRadios;

type ControlProps = FieldControlProps & {
  id: string;
  wires: { "aria-describedby"?: string; "aria-invalid"?: true };
  heading: React.ReactNode;
};

function Control({ approval, name, field, required, typed, id, wires, heading }: ControlProps) {
  const form = formId(approval._id);
  const own = { form, name: controlName(name) };
  const text = (proposed: string) => typed[own.name] ?? proposed;
  if (isItems(field)) return <ItemVerdicts {...{ form, name, field, typed, wires }} />;
  if (field.type === "array") return <Checkboxes {...{ form, name, field, typed, wires }} />;
  if (field.type === "boolean")
    return (
      <label className={`${choiceLine} font-medium`}>
        <input type="hidden" {...own} value="false" />
        <input
          type="checkbox"
          {...own}
          {...wires}
          value="true"
          defaultChecked={text(String(field.default ?? false)) === "true"}
          className="size-4.5 accent-ink"
        />
        <span>{heading}</span>
      </label>
    );
  const choices = field.type === "string" ? choicesOf(field) : undefined;
  const proposed = text(isMoney(field) ? (field.default?.amount ?? "") : String(field.default ?? ""));
  if (choices && radios(field))
    return (required ? choices : [...choices, { value: "", title: "None" }]).map(({ value, title }) => (
      <label key={value} className={choiceLine}>
        <input
          type="radio"
          {...own}
          {...wires}
          value={value}
          defaultChecked={proposed === value}
          className="size-4.5 accent-ink"
        />
        <bdi>{title}</bdi>
      </label>
    ));
  const shared = { id, ...own, ...wires, className: box, defaultValue: proposed };
  if (choices)
    return (
      <select {...shared}>
        <option value="">{required ? "Choose…" : "None"}</option>
        {choices.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    );
  if (isMoney(field))
    return (
      <div className="flex items-center gap-2">
        <input
          {...shared}
          inputMode={keyboardOf(field)}
          autoComplete="off"
          className={`${box} max-w-40 tabular-nums`}
        />
        <span className="font-medium">{field.currency}</span>
      </div>
    );
  if (field.type !== "string")
    return (
      <input {...shared} inputMode={keyboardOf(field)} autoComplete="off" className={`${box} max-w-40 tabular-nums`} />
    );
  const { format } = field;
  if (takesLines(field, proposed)) return <textarea {...shared} rows={3} dir="auto" />;
  return <input {...shared} type={format ? inputTypes[format] : "text"} dir="auto" autoComplete="off" />;
}

type CheckboxesProps = Pick<ControlProps, "name" | "typed" | "wires"> & {
  /** The ID of the form. */
  form: string;
  field: ChoicesField;
};

/**
 * The choices of a field that can have several. Without scripts, a form sends only the checked
 * choices.
 */
const Checkboxes = ({ form, name, field, typed, wires }: CheckboxesProps) =>
  (choicesOf(field) ?? []).map(({ value, title }, index) => (
    <label key={value} className={choiceLine}>
      <input
        type="checkbox"
        {...{ form, name: controlName(name, index), value, ...wires }}
        defaultChecked={wasSent({ typed }) ? controlName(name, index) in typed : field.default?.includes(value)}
        className="size-4.5 accent-ink"
      />
      <bdi>{title}</bdi>
    </label>
  ));

/** Returns a phone's keyboard for a number or amount. Some phones' number pads have no minus sign. */
const keyboardOf = ({ type, minimum }: NumberField | MoneyField) =>
  Number(minimum ?? 0) < 0 ? "text" : type === "integer" ? "numeric" : "decimal";

/** Whether a text needs several lines. An input would remove the line breaks of a proposed text. */
const takesLines = ({ format, maxLength = 10_000 }: StringField, proposed: string) =>
  format === undefined && (maxLength > 120 || proposed.includes("\n"));

const inputTypes = { email: "email", uri: "url", date: "date", time: "time", "date-time": "text" } as const;
