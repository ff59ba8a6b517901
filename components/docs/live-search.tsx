"use client";
import { useEffect, useState } from "react";
import { plural } from "@/lib/text/plural";
import { SearchResults } from "./search-results";
import { type DocsSection, searchSections } from "./search-sections";

let loading: Promise<DocsSection[]> | undefined;

async function load() {
  const { body } = await fetch("/docs/search.json.gz");
  return new Response(body?.pipeThrough(new DecompressionStream("gzip"))).json();
}

/** Live search results. The search code and index load on first use. */
export default function LiveSearch({ typed }: { typed: string }) {
  const [sections, setSections] = useState<readonly DocsSection[]>();
  useEffect(() => {
    loading ??= load();
    // If the index can't be loaded, the form still opens the results page.
    loading.then(setSections, () => (loading = undefined));
  }, []);
  if (!sections || !typed.trim()) return null;
  const found = searchSections(sections, typed);
  return (
    <div className="finder">
      <p role="status">
        {found.length === 0 ? (
          `No results for “${typed.trim()}”.`
        ) : (
          <span className="sr-only">{plural(found.length, { one: "# result", other: "# results" })}</span>
        )}
      </p>
      <SearchResults found={found} />
    </div>
  );
}
