"use client";
import { goTo, searchKey, useShortcut } from "@/components/keys/shortcut";
import { Button } from "@/components/ui/button";
import { SearchIcon } from "@/components/ui/icons";
import { TextInput } from "./field";

type SearchBoxProps = {
  /** What it searches: "Search answers". */
  label: string;
  placeholder: string;
  value: string | undefined;
  /** Without a button that shows; Enter searches all the same. */
  compact?: boolean;
};

/** The search of a GET form, sent as `q`; the key `/` leads to it. */
export function SearchBox({ label, placeholder, value, compact = false }: SearchBoxProps) {
  const key = useShortcut<HTMLInputElement>(searchKey, goTo);
  return (
    <div className="flex min-w-0 grow gap-2">
      <span className="relative min-w-0 grow">
        <SearchIcon
          className={`pointer-events-none absolute inset-s-3 size-5 text-muted ${compact ? "top-3 lg:top-2" : "top-3"}`}
        />
        <TextInput
          type="search"
          name="q"
          aria-label={label}
          {...key}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
          placeholder={placeholder}
          className={`py-2! ps-10! ${compact ? "lg:min-h-9! lg:py-1.5!" : ""}`}
          defaultValue={value ?? ""}
        />
      </span>
      <Button type="submit" className={compact ? "sr-only focus:not-sr-only focus:px-3" : "shrink-0 whitespace-nowrap"}>
        Search
      </Button>
    </div>
  );
}
