import { useId } from "react";

type SwitchCheckboxProps = Omit<React.ComponentProps<"input">, "type" | "children"> & {
  label: React.ReactNode;
  detail?: React.ReactNode;
};

/** A checkbox that looks like a switch, at the end of its row. The whole row is clickable. */
export function SwitchCheckbox({ label, detail, className = "", ...rest }: SwitchCheckboxProps) {
  const id = useId();
  return (
    <label className={`flex min-h-12 items-center justify-between gap-4 px-4 py-2.5 sm:min-h-10 sm:py-1 ${className}`}>
      <span className="min-w-0">
        <span id={id} className="font-medium">
          {label}
        </span>
        {detail ? (
          <span id={`${id}d`} className="block text-xs text-muted">
            {detail}
          </span>
        ) : null}
      </span>
      <span className="relative flex shrink-0">
        <input
          type="checkbox"
          aria-labelledby={id}
          {...(detail ? { "aria-describedby": `${id}d` } : {})}
          {...rest}
          className="peer h-6.5 w-11 appearance-none rounded-full border border-edge bg-fill transition-colors checked:border-ink checked:bg-ink disabled:opacity-60 forced-colors:size-5 forced-colors:appearance-auto"
        />
        <Knob className="peer-checked:translate-x-4.5 peer-checked:bg-on-ink rtl:peer-checked:-translate-x-4.5" />
      </span>
    </label>
  );
}

/** The moving part of a switch. */
export const Knob = ({ className }: { className: string }) => (
  <span
    aria-hidden="true"
    className={`pointer-events-none absolute inset-s-1 top-1 size-4.5 rounded-full bg-edge transition-transform forced-colors:hidden ${className}`}
  />
);
