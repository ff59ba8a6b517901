import { Mark } from "./icons";

type AppIconProps = {
  name: string;
  /** The app's index among the owner's apps, so that colors repeat only after all are used. */
  hue?: number | undefined;
  className?: string;
};

/** The number of hues in `app/globals.css`. */
const hues = 12;

/** The service's own name, which apps may not use (`lib/apps/app-name-checks.ts`). */
const own = "Countersign";

/**
 * An app's icon, drawn from its name, because apps can't supply images. Decorative, because the
 * name is always next to it.
 */
export function AppIcon({ name, hue, className = "size-9" }: AppIconProps) {
  if (name === own) return <Mark className={className} />;
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
        {initialsOf(name)}
      </text>
    </svg>
  );
}

/** The first letters of a name's first two words. */
export const initialsOf = (name: string): string =>
  name
    .trim()
    .split(/[\s._-]+/u)
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("");
