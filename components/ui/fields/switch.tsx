type SwitchProps = Omit<React.ComponentProps<"button">, "role" | "type"> & {
  checked: boolean;
  /** The accessible label. */
  label: string;
};

/**
 * A switch that submits its form immediately. The field `on`, or the field given as `name`,
 * contains the new state.
 */
export function Switch({ checked, label, className = "", ...rest }: SwitchProps) {
  return (
    <button
      type="submit"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      name="on"
      value={checked ? "no" : "yes"}
      {...rest}
      className={`group inline-flex size-11 shrink-0 items-center justify-center rounded-full disabled:cursor-not-allowed disabled:opacity-55 ${className}`}
    >
      <span
        className={`flex h-6 w-10 items-center rounded-full border px-0.5 transition-colors duration-100 ${
          checked ? "justify-end border-ink bg-ink" : "justify-start border-edge bg-raised"
        }`}
      >
        <span
          className={`size-4 rounded-full border ${checked ? "border-transparent bg-on-ink" : "border-edge bg-edge"}`}
        />
      </span>
    </button>
  );
}
