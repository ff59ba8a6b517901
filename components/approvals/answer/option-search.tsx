"use client";
import { TextInput } from "@/components/ui/fields/field";
import type { useOptionSearch } from "./use-option-search";

type OptionSearchProps = { id: string; total: number; search: ReturnType<typeof useOptionSearch> };

/** A search field for questions with many options. */
export function OptionSearch({ id, total, search }: OptionSearchProps) {
  const { words, found } = search;
  return (
    <div className="flex items-center gap-3 noscript:hidden">
      <label htmlFor={`find-${id}`} className="sr-only">
        Find an option
      </label>
      <TextInput
        id={`find-${id}`}
        type="search"
        data-find
        placeholder={`Search ${total} options`}
        {...search.field}
        value={search.text}
        onChange={(event) => search.setText(event.target.value)}
      />
      <p role="status" className={words ? "shrink-0 text-muted tabular-nums" : "sr-only"}>
        {words ? `${found.length} of ${total}` : ""}
      </p>
    </div>
  );
}
