import MiniSearch, { type Query, type SearchResult } from "minisearch";
import { synonyms } from "./search-synonyms";

/** A section of a page, between two headings. */
export type DocsSection = { href: string; page: string; heading: string; text: string };
/** A section with the text around its first match. */
export type FoundSection = DocsSection & { around: string };

const maxResults = 12;

/**
 * Caches one index for each list of sections, because building an index costs more than a search.
 */
const indexes = new WeakMap<readonly DocsSection[], MiniSearch<DocsSection>>();

/**
 * Searches sections and returns at most 12, best first. Every word must match, also as a prefix, in
 * singular or plural, or by a synonym. Typos are tolerated only if nothing else matches.
 * @param typed the query
 */
export function searchSections(sections: readonly DocsSection[], typed: string): FoundSection[] {
  const words = wordsOf(typed);
  if (words.length === 0) return [];
  const index = indexes.get(sections) ?? indexOf(sections);
  const query: Query = { combineWith: "AND", queries: words.map(withSynonyms) };
  const exact = index.search(query, { prefix: true });
  const results = exact.length > 0 ? exact : index.search(query, { prefix: true, fuzzy: 0.25 });
  return results.slice(0, maxResults).map((result) => {
    const section = sections[result.id] as DocsSection;
    return { ...section, around: around(section.text, result) };
  });
}

function indexOf(sections: readonly DocsSection[]): MiniSearch<DocsSection> {
  const index = new MiniSearch<DocsSection>({
    fields: ["heading", "page", "text"],
    tokenize: tokens,
    processTerm: (term) => [stem(term), ...partsOf(term)],
    searchOptions: { processTerm: stem, boost: { heading: 6, page: 3 }, weights: { prefix: 0.1, fuzzy: 0.05 } },
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  indexes.set(sections, index);
  return index;
}

const tokens = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words in a field's name: `next` and `cursor` in `nextCursor`. */
const partsOf = (term: string) => (/^[a-z]+[A-Z]/.test(term) ? term.split(/(?=[A-Z])/).map(stem) : []);

/** Words that end in s but are not plural. */
const noPlural = new Set(["cors", "https"]);

/** A term in lowercase and in the singular, so that singular and plural match each other. */
const stem = (term: string) => {
  const lower = term.toLowerCase();
  return /[^su]s$/.test(lower) && lower.length > 3 && !noPlural.has(lower) ? lower.slice(0, -1) : lower;
};

/** The terms of a query. Two words form one term if that term has synonyms, like `self host`. */
function wordsOf(typed: string): string[] {
  const words: string[] = [];
  for (const token of tokens(typed)) {
    const pair = stem((words.at(-1) ?? "") + token);
    if (words.length > 0 && Object.hasOwn(synonyms, pair)) words.splice(-1, 1, pair);
    else words.push(token);
  }
  return words;
}

/** Matches the word itself or one of its synonyms. */
function withSynonyms(word: string): Query {
  const key = stem(word);
  const others = Object.hasOwn(synonyms, key) ? (synonyms[key] ?? []) : [];
  return {
    combineWith: "OR",
    queries: [word, ...others.map((other): Query => ({ combineWith: "AND", queries: [other] }))],
  };
}

/** About 140 characters of text around the first match. */
function around(text: string, { match }: SearchResult): string {
  const terms = Object.keys(match).filter((term) => match[term]?.includes("text"));
  const places = terms
    .map((term) => text.search(new RegExp(`(?<![\\p{L}\\p{N}])${term}`, "iu")))
    .filter((index) => index >= 0);
  const start = Math.min(...places, text.length);
  const from = start < 50 || start === text.length ? 0 : text.indexOf(" ", start - 40) + 1;
  const to = text.length > from + 140 ? text.lastIndexOf(" ", from + 140) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}
