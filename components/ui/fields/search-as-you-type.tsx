"use client";
import { useRouter } from "next/navigation";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { BlockedIcon, SearchIcon } from "@/components/ui/icons";
import { SearchInput } from "./search-input";

const debounceMs = 250;

/**
 * The text being typed, its list's path, and the time of the last change. This is a module
 * variable, because each search result replaces the list and its search field.
 */
let typing: { text: string; list: string | undefined; at: number } | undefined;
const typedJustNow = (list: string | undefined) =>
  typing && typing.list === list && performance.now() - typing.at < 5000 ? typing : undefined;

type SearchFieldProps = {
  /** The accessible label, like "Search answers". */
  label: string;
  value: string | undefined;
  /** The URL of the list without a search. */
  all: string;
  placeholder?: string;
};

/**
 * The search field of a list's GET form. It searches while the owner types. Without scripts, Enter
 * sends the form.
 */
export function SearchField({ label, value = "", all, placeholder = "Search" }: SearchFieldProps) {
  const router = useRouter();
  const [list] = all.split("?");
  const [text, setText] = useState(() => typedJustNow(list)?.text ?? value);
  const field = useRef<HTMLSpanElement>(null);
  const asked = useRef(value);
  const input = () => field.current?.querySelector("input");

  useLayoutEffect(() => {
    const box = field.current?.querySelector("input");
    // Searches for text that the owner typed before this script ran.
    if (box?.value) setText(box.value);
    if (!typedJustNow(list) || document.activeElement !== document.body) return;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  }, [list]);
  // Updates the field if the page shows another list or the search was cleared.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    if (!typedJustNow(list)) setText(value);
  }, [value, list]);

  const find = (words: string) => {
    const form = input()?.form;
    if (!form) return;
    asked.current = words;
    const fields = new URLSearchParams([...new FormData(form)].map(([name, field]) => [name, String(field)]));
    if (words.trim() === "") fields.delete("q");
    for (const [name, given] of [...fields]) if (given === "") fields.delete(name);
    const query = fields.toString();
    router.replace(query ? `${form.action}?${query}` : form.action, { scroll: false });
  };
  useEffect(() => {
    if (text.trim() === asked.current.trim()) return;
    const timer = setTimeout(() => find(text), debounceMs);
    return () => clearTimeout(timer);
  });
  const type = (words: string) => {
    typing = { text: words, list, at: performance.now() };
    setText(words);
  };

  return (
    <span ref={field} className="relative block min-w-0 grow">
      <SearchIcon className="pointer-events-none absolute inset-s-3 top-3 size-5 text-muted lg:top-2" />
      <SearchInput
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        // The owner moved on, so the next list is not a result of typing.
        onBlur={() => {
          typing = undefined;
        }}
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
