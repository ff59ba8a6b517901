"use client";
import { createContext, useContext, useId } from "react";
import { useRefusal, useTyped } from "@/components/actions/form-error-context";

type Wiring = { id: string; name: string; described: string | undefined; invalid: boolean };
const Wires = createContext<Wiring | null>(null);

type FieldProps = {
  label: string;
  /** The control's name. The form's errors for it appear here. */
  name: string;
  hint?: React.ReactNode;
  error?: string;
  /** Whether the field's errors repeat the hint and therefore replace it. */
  repeats?: boolean;
  children: React.ReactNode;
};

/** A labeled control with its hint and its error, linked for assistive technology. */
export function Field({ label, name, hint: usual, error, repeats = false, children }: FieldProps) {
  const id = useId();
  const refusal = useRefusal(name);
  const wrong = error ?? refusal;
  const hint = repeats && wrong ? undefined : usual;
  const described = [hint ? `${id}-hint` : "", wrong ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <Wires value={{ id, name, described: described || undefined, invalid: Boolean(wrong) }}>
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {children}
        {hint ? (
          <p id={`${id}-hint`} className="text-muted">
            {hint}
          </p>
        ) : null}
        {wrong ? (
          <p id={`${id}-error`} className="font-medium text-danger">
            {wrong}
          </p>
        ) : null}
      </div>
    </Wires>
  );
}

const box =
  "w-full rounded-lg border border-edge bg-raised px-3 py-2.5 text-base text-ink placeholder:text-muted aria-invalid:border-danger aria-invalid:border-2 sm:text-sm";

function useWiring() {
  const wires = useContext(Wires);
  if (!wires) return {};
  return {
    id: wires.id,
    name: wires.name,
    ...(wires.described ? { "aria-describedby": wires.described } : {}),
    ...(wires.invalid ? { "aria-invalid": true } : {}),
  };
}

/** The submitted value, which the form's action returned. */
function useAgain(): { defaultValue?: string } {
  const typed = useTyped(useContext(Wires)?.name ?? "");
  return typed === undefined ? {} : { defaultValue: typed };
}

/** Props that turn off autocomplete and autocorrect. */
export const asTyped = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

export function TextInput({ className = "", ...rest }: React.ComponentProps<"input">) {
  return <input type="text" {...useWiring()} {...rest} {...useAgain()} className={`min-h-11 ${box} ${className}`} />;
}

export function TextArea({ className = "", ...rest }: React.ComponentProps<"textarea">) {
  return <textarea rows={3} {...useWiring()} {...rest} className={`${box} ${className}`} />;
}

type SelectProps = Omit<React.ComponentProps<"select">, "children"> & {
  /** The options' labels by value. Objects list integer keys first, in ascending order. */
  options: Readonly<Record<string, string>>;
};

export function Select({ options, className = "", ...rest }: SelectProps) {
  const again = useAgain();
  return (
    <select
      // React reads the default only on mount, so a new default needs a new key.
      key={again.defaultValue}
      {...useWiring()}
      {...rest}
      {...again}
      className={`min-h-11 ${box} ${className}`}
    >
      {Object.entries(options).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
