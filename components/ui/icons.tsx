/*
 * Our own line icons on a 20 × 20 grid. Screen readers skip them, because adjacent text carries the
 * meaning.
 */

export type IconProps = { className?: string };

export const Line = ({ className = "size-5", d }: IconProps & { d: string }) => (
  <svg
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    className={`shrink-0 ${className}`}
  >
    <path d={d} />
  </svg>
);
const icon = (d: string) => (props: IconProps) => <Line {...props} d={d} />;

export const ApprovalsIcon = icon("M3.5 11.5 6 14l4.2-5M9 13l1.4 1.4L16.5 6M3 17.5h14M6.2 3.2h7.6");
export const FrozenIcon = icon("M10 2.5v15M3.5 6.25l13 7.5M16.5 6.25l-13 7.5M8 3.5l2 2 2-2M8 16.5l2-2 2 2");
export const NotificationsIcon = icon(
  "M5 8.5a5 5 0 0 1 10 0c0 4 1.5 5 1.5 5h-13S5 12.5 5 8.5ZM8.3 16.3a1.8 1.8 0 0 0 3.4 0",
);
export const IntegrationsIcon = icon(
  "M8.2 11.8a3.4 3.4 0 0 0 4.9 0l2.7-2.7a3.5 3.5 0 0 0-4.9-4.9l-.8.8M11.8 8.2a3.4 3.4 0 0 0-4.9 0l-2.7 2.7a3.5 3.5 0 0 0 4.9 4.9l.8-.8",
);
export const AppsIcon = icon(
  "M4 3.5h3.5A.5.5 0 0 1 8 4v3.5a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5ZM12.5 3.5H16a.5.5 0 0 1 .5.5v3.5a.5.5 0 0 1-.5.5h-3.5a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5ZM4 12h3.5a.5.5 0 0 1 .5.5V16a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5v-3.5a.5.5 0 0 1 .5-.5ZM14.25 11.5v5.5M11.5 14.25h5.5",
);
export const ActivityIcon = icon("M10 5.5V10l3 2M3.2 8.2A7 7 0 1 1 3 10.5M3.2 4.5v3.7h3.7");
export const DeveloperIcon = icon("m6.5 6-4 4 4 4M13.5 6l4 4-4 4M11.5 3.5l-3 13");
export const SettingsIcon = icon(
  "M3 6h7M14 6h3M3 14h3M10 14h7M10 6a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 14a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
);
export const ClockIcon = icon("M10 3.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13ZM10 6.5V10l2.5 1.5");
export const BackIcon = icon("M12 4.5 6.5 10l5.5 5.5");
/** A "more" icon with three dots. */
export const DotsIcon = (props: IconProps) => (
  <svg
    viewBox="0 0 20 20"
    fill="currentColor"
    aria-hidden="true"
    focusable="false"
    className="size-5 shrink-0"
    {...props}
  >
    <circle cx="4.5" cy="10" r="1.4" />
    <circle cx="10" cy="10" r="1.4" />
    <circle cx="15.5" cy="10" r="1.4" />
  </svg>
);
export const MoreIcon = icon("M4 6h12M4 10h12M4 14h12");
export const SignOutIcon = icon("M8 3.5H4.5a1 1 0 0 0-1 1v11a1 1 0 0 0 1 1H8M13 13.5l3.5-3.5L13 6.5M16.5 10H8");
export const CheckIcon = icon("m4.5 10.5 3.5 3.5 7.5-8");
export const CopyIcon = icon(
  "M7.5 7.5h8a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-8a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1ZM13.5 7.5v-3a1 1 0 0 0-1-1h-8a1 1 0 0 0-1 1v7a1 1 0 0 0 1 1h2",
);
export const WarningIcon = icon("M10 3.2 2.5 16.5h15L10 3.2ZM10 8.5v3.5M10 14.3v.1");
export const InfoIcon = icon("M3 10a7 7 0 1 0 14 0a7 7 0 1 0-14 0M10 9.5v4M10 6.6v.1");
export const ChevronIcon = icon("m7.5 5 5 5-5 5");
export const BlockedIcon = icon("m6 6 8 8M14 6l-8 8");
export const FilterIcon = icon("M3.5 6h13M6 10h8M8.5 14h3");
export const SearchIcon = icon("M3.5 9a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0M13 13l4 4");
export const KeyIcon = icon("M3.5 13a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0M9.5 10.5l6.5-6.5M13 7l2 2");
export const KeyboardIcon = icon("M2.5 5.5h15v9h-15zM5.5 8.5h.1M8.5 8.5h.1M11.5 8.5h.1M14.5 8.5h.1M6.5 11.5h7");

/** The product's logo: the strokes of two signatures. */
export function Mark({ className = "size-8" }: IconProps) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="9" className="fill-yes" />
      <path
        d="M6.5 15.5 10.5 19.5 18 9"
        fill="none"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-yes opacity-60"
      />
      <path
        d="M12.5 19 16 22.5 25.5 10"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-yes"
      />
    </svg>
  );
}
