import { DocsShell } from "@/components/docs/docs-shell";
import { SearchResults } from "@/components/docs/search-results";
import { searchSections } from "@/components/docs/search-sections";
import { allSections } from "@/lib/api/docs/page-sections";
import { sidebarChapters } from "../sidebar-chapters";
import "../docs.css";

export const metadata = { title: "Search · Documentation" };

/** Kept, because the search caches its index by this list. */
let sections: ReturnType<typeof allSections> | undefined;

/** Search results for browsers without scripts, and after Enter. */
export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const typed = [q].flat().join(" ").trim();
  sections ??= allSections();
  const found = searchSections(sections, typed);
  return (
    <DocsShell chapters={sidebarChapters()} typed={typed}>
      <article>
        <h1>Search</h1>
        {found.length > 0 ? (
          <SearchResults found={found} />
        ) : (
          <p>{typed ? `No results for “${typed}”. Try different or fewer words.` : "Enter a search term above."}</p>
        )}
      </article>
    </DocsShell>
  );
}
