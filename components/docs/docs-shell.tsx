import { Wordmark } from "@/components/layout/wordmark";
import { BlockedIcon, MoreIcon } from "@/components/ui/icons";
import { DocsEnhancements } from "./copy-buttons-and-tabs";
import { DocsSearch } from "./docs-search";

export type DocsEntry = { href: string; title: string };
type ShellProps = {
  chapters: readonly { title: string; pages: readonly DocsEntry[] }[];
  /** The path of the open page. */
  here?: string;
  /** The headings of the open page. */
  parts?: readonly DocsEntry[];
  typed?: string;
  children: React.ReactNode;
};

/**
 * The layout of the documentation, with search and a list of all pages that is collapsed on small
 * screens.
 */
export const DocsShell = ({ chapters, here, parts = [], typed, children }: ShellProps) => (
  <div className="docs">
    <a href="#content" className="skip">
      Skip to content
    </a>
    <header>
      <button type="button" popoverTarget="docs-pages" className="pages">
        <MoreIcon />
        Pages
      </button>
      <a href="/docs" aria-label="Countersign documentation" className="home">
        <Wordmark mark="size-6" />
      </a>
      <DocsSearch {...(typed !== undefined && { typed })} />
      <a href="/developer" className="developer">
        Developer
      </a>
    </header>
    <nav id="docs-pages" popover="auto" aria-label="Documentation">
      <div className="head">
        <a href="/developer">Developer page</a>
        <button type="button" popoverTarget="docs-pages" popoverTargetAction="hide">
          <BlockedIcon />
          Close
        </button>
      </div>
      {chapters.map(({ title, pages }) => (
        <div key={title}>
          <h2 id={`shelf-${title}`}>{title}</h2>
          <ul aria-labelledby={`shelf-${title}`}>
            {pages.map((page) => (
              <li key={page.href}>
                <a href={page.href} aria-current={page.href === here ? "page" : undefined}>
                  {page.title}
                </a>
                {page.href === here && parts.length > 0 ? (
                  <ul>
                    {parts.map((part) => (
                      <li key={part.href}>
                        <a href={part.href}>{part.title}</a>
                      </li>
                    ))}
                  </ul>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
    <main id="content" tabIndex={-1}>
      {children}
    </main>
    <DocsEnhancements />
  </div>
);
