import { sections } from "./sections";

/** The way to each part of the page; it stays in view. */
export function SectionMenu() {
  return (
    <nav
      aria-label="Settings"
      data-bar
      className="sticky top-0 z-10 -mx-4 mb-4 overflow-x-auto border-b border-line bg-bg px-4 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-1 py-1">
        {sections.map(({ id, label }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center rounded-lg px-2.5 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:bg-line hover:text-text sm:min-h-9"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SectionProps = { id: (typeof sections)[number]["id"]; children: React.ReactNode };

/** One part of the page, which has an address of its own. */
export const Section = ({ id, children }: SectionProps) => (
  <div id={id} tabIndex={-1} className="grid gap-5 outline-none">
    {children}
  </div>
);
