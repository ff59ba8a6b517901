import { buttonClass } from "./button";
import { ChevronIcon } from "./icons";

type MenuProps = { label: React.ReactNode; children: React.ReactNode };

/** A small sheet of links under a button, with or without scripts. */
export function Menu({ label, children }: MenuProps) {
  return (
    <details className="group/menu relative shrink-0">
      <summary className={`${buttonClass()} px-3! lg:min-h-9! lg:py-1.5!`}>
        {label}
        <ChevronIcon className="size-4 rotate-90 group-open/menu:-rotate-90" />
      </summary>
      <ul className="absolute top-full right-0 z-20 mt-1 grid min-w-44 rounded-xl border border-line bg-raised p-1.5 shadow-float">
        {children}
      </ul>
    </details>
  );
}

/** How a line of a menu looks. */
export const menuItem =
  "flex min-h-11 items-center rounded-lg px-3 whitespace-nowrap hover:bg-bg aria-[current=true]:font-semibold aria-[current=true]:text-accent lg:min-h-9";
