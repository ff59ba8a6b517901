"use client";
import { usePathname } from "next/navigation";
import { Link } from "@/components/ui/link";
import { settingsPages } from "./settings-pages";

/** Links to the settings pages: a list next to the page or, on phones, tabs above it. */
export function SettingsNav() {
  const path = usePathname();
  return (
    <nav
      aria-label="Settings"
      data-bar
      className="bleed sticky top-0 z-10 mb-4 bg-bg lg:top-4 lg:m-0 lg:self-start lg:p-0 low:static"
    >
      <ul className="flex flex-wrap py-1 sm:gap-0.5 lg:grid lg:gap-1 lg:p-0">
        {settingsPages.map(({ href, label }) => (
          <li key={href}>
            <Link
              href={href}
              {...(path === href ? { "aria-current": "page" } : {})}
              className="flex min-h-11 min-w-10 items-center justify-center rounded-lg px-1.5 font-medium whitespace-nowrap text-muted -outline-offset-2 hover:bg-fill hover:text-ink sm:px-3 lg:min-h-10 lg:justify-start aria-[current=page]:bg-fill aria-[current=page]:font-semibold aria-[current=page]:text-ink forced-colors:aria-[current=page]:outline-2"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
