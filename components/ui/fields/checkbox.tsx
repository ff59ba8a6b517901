import { CheckIcon } from "@/components/ui/icons";

type CheckboxProps = Omit<React.ComponentProps<"input">, "type" | "children"> & {
  label: React.ReactNode;
  detail?: React.ReactNode;
};

/** A tick box with its words; the whole row is the target. */
export function Checkbox({ label, detail, className = "", ...rest }: CheckboxProps) {
  return (
    <label className={`flex min-h-11 items-start gap-3 py-2 ${className}`}>
      <span className="relative flex size-5 shrink-0">
        <input
          type="checkbox"
          {...rest}
          className="peer size-5 appearance-none rounded-md border border-edge bg-raised checked:border-accent checked:bg-accent disabled:opacity-60 forced-colors:appearance-auto"
        />
        <CheckIcon className="pointer-events-none absolute inset-0.5 hidden size-4 stroke-[2.5] text-accent-text peer-checked:block forced-colors:peer-checked:hidden" />
      </span>
      <span className="min-w-0">
        <span className="font-medium">{label}</span>
        {detail ? <span className="block text-muted">{detail}</span> : null}
      </span>
    </label>
  );
}
