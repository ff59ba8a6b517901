"use client";
import { useRouter } from "next/navigation";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { SearchInput } from "@/components/ui/fields/search-input";
import { BlockedIcon, SearchIcon } from "@/components/ui/icons";

const debounceMs = 250;

/**
 * The text being typed, and the time of the last change. A module variable, because each result is
 * a separate list with a new field.
 */
let typing: { text: string; at: number } | undefined;
const typedJustNow = () => (typing && performance.now() - typing.at < 5000 ? typing : undefined);

type SearchFieldProps = {
  /** The accessible label, like "Search answers". */
  label: string;
  value: string | undefined;
  /** The URL of the list without a search. */
  all: string;
};

/**
 * The search field of the list's form. It searches while the owner types. Without scripts, Enter
 * sends the form.
 */
export function SearchField({ label, value = "", all }: SearchFieldProps) {
  const router = useRouter();
  const [text, setText] = useState(() => typedJustNow()?.text ?? value);
  const field = useRef<HTMLSpanElement>(null);
  const asked = useRef(value);
  const input = () => field.current?.querySelector("input");

  useLayoutEffect(() => {
    const box = field.current?.querySelector("input");
    if (!typedJustNow() || document.activeElement !== document.body) return;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, []);
  // The page shows another list, or the search was cleared.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    if (!typedJustNow()) setText(value);
  }, [value]);

  const find = (words: string) => {
    const form = input()?.form;
    if (!form || words.trim() === asked.current.trim()) return;
    asked.current = words;
    const fields = new URLSearchParams([...new FormData(form)].map(([name, field]) => [name, String(field)]));
    if (words.trim() === "") fields.delete("q");
    for (const [name, given] of [...fields]) if (given === "") fields.delete(name);
    const query = fields.toString();
    router.replace(query ? `/approvals?${query}` : "/approvals", { scroll: false });
  };
  useEffect(() => {
    if (text.trim() === asked.current.trim()) return;
    const timer = setTimeout(() => find(text), debounceMs);
    return () => clearTimeout(timer);
  });
  const type = (words: string) => {
    typing = { text: words, at: performance.now() };
    setText(words);
  };

  return (
    <span ref={field} className="relative block min-w-0 grow">
      <SearchIcon className="pointer-events-none absolute inset-s-3 top-3 size-5 text-muted lg:top-2" />
      <SearchInput
        aria-label={label}
        placeholder="Search"
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          find(text);
        }}
        className="ps-10 pe-11 py-2 lg:min-h-9 lg:py-1.5 [&::-webkit-search-cancel-button]:hidden"
      />
      {text ? (
        <a
          href={all}
          onClick={(event) => {
            event.preventDefault();
            type("");
            input()?.focus();
          }}
          className="absolute inset-e-0 top-0 grid size-11 place-items-center rounded-lg text-muted hover:text-ink lg:size-9"
        >
          <BlockedIcon className="size-4" />
          <span className="sr-only">Clear the search</span>
        </a>
      ) : null}
    </span>
  );
}
