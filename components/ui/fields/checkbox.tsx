import { useId } from "react";
import { CheckIcon } from "@/components/ui/icons";

type CheckboxProps = Omit<React.ComponentProps<"input">, "type" | "children"> & {
  label: React.ReactNode;
  detail?: React.ReactNode;
};

/**
 * A checkbox whose whole row is clickable. Its accessible name is the label, and its accessible
 * description is the detail.
 */
export function Checkbox({ label, detail, className = "", ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <label className={`flex min-h-11 items-start gap-3 py-2 ${className}`}>
      <span className="relative flex size-5 shrink-0">
        <input
          type="checkbox"
          aria-labelledby={id}
          {...(detail ? { "aria-describedby": `${id}d` } : {})}
          {...rest}
          className="peer size-5 appearance-none rounded-md border border-edge bg-raised checked:border-ink checked:bg-ink disabled:opacity-60 forced-colors:appearance-auto"
        />
        <CheckIcon className="pointer-events-none absolute inset-0.5 hidden size-4 stroke-[2.5] text-on-ink peer-checked:block forced-colors:peer-checked:hidden" />
      </span>
      <span className="min-w-0">
        <span id={id} className="font-medium">
          {label}
        </span>
        {detail ? (
          <span id={`${id}d`} className="block text-muted">
            {detail}
          </span>
        ) : null}
      </span>
    </label>
  );
}
