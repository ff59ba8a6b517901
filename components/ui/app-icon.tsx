type AppIconProps = {
  name: string;
  /** Which of the owner's apps it is, as the service numbers them: no two have the same colour while there are others. */
  hue?: number | undefined;
  className?: string;
};

/** As many as `app/globals.css` has. */
const hues = 12;

/** An app's sign, drawn by us from its name: apps never bring pictures. Decoration, the name stands beside it. */
export function AppIcon({ name, hue, className = "size-9" }: AppIconProps) {
  const words = name.trim().split(/[\s._-]+/u);
  const initials = [words[0], words[1]].map((word) => [...(word ?? "")][0] ?? "").join("");
  return (
    <svg
      viewBox="0 0 36 36"
      aria-hidden="true"
      focusable="false"
      data-hue={hue === undefined ? undefined : hue % hues}
      className={`app-tile shrink-0 ${className}`}
    >
      <rect width="36" height="36" rx="9" />
      <text x="18" y="22.5" textAnchor="middle" className="text-[13px] font-semibold uppercase">
        {initials}
      </text>
    </svg>
  );
}
