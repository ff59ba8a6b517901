import { findSections } from "@/components/docs/find";
import { Found } from "@/components/docs/found";
import { DocsShell } from "@/components/docs/shell";
import { allSections } from "@/lib/api/docs/sections";
import { shownShelves } from "../shown-shelves";
import "../docs.css";

export const metadata = { title: "Search · API documentation" };

/** What the search finds, for whoever has no scripts or presses Enter. */
export default async function Search({ searchParams }: { searchParams: Promise<{ q?: string | string[] }> }) {
  const { q } = await searchParams;
  const typed = [q].flat().join(" ").trim();
  const found = findSections(allSections(), typed);
  return (
    <DocsShell shelves={shownShelves()} typed={typed}>
      <article>
        <h1>Search</h1>
        {found.length > 0 ? (
          <Found found={found} typed={typed} />
        ) : (
          <p>{typed ? `Nothing about “${typed}”. Try another word, or fewer.` : "Type a word above."}</p>
        )}
      </article>
    </DocsShell>
  );
}
