export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonLook = { variant?: ButtonVariant; size?: "normal" | "small" | "wide" };

const base =
  "inline-flex items-center justify-center gap-2 rounded-lg border text-center font-medium transition-colors duration-100 select-none " +
  "disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55";
const sizes = {
  normal: "min-h-11 px-4 py-2",
  small: "min-h-11 px-3 py-1.5 sm:min-h-9",
  wide: "min-h-12 w-full px-4 py-2.5 text-base",
};
const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-ink text-on-ink hover:bg-ink-hover",
  secondary: "border-edge bg-raised text-ink hover:bg-fill",
  quiet: "border-transparent text-ink hover:bg-fill",
  danger: "border-danger bg-raised text-danger hover:bg-danger-soft",
};

/** A button's classes, also for summaries and links that look like buttons. */
export const buttonClass = ({ variant = "secondary", size = "normal" }: ButtonLook = {}) =>
  `${base} ${sizes[size]} ${variants[variant]}`;

type ButtonProps = ButtonLook & { pending?: boolean } & React.ComponentProps<"button">;

/**
 * A button. While `pending`, the button keeps its focus and is marked as busy. Its handler must
 * ignore further presses.
 */
export function Button({ variant, size, pending = false, className = "", type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      {...rest}
      {...(pending ? { "aria-busy": true, "aria-disabled": true } : {})}
      className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`}
    />
  );
}
