"use client";
import { goTo, searchKey, useShortcut } from "@/components/keyboard/use-shortcut";

/** A search input named `q`. The shortcut `/` focuses it. */
export function SearchInput({ className, ...rest }: React.ComponentProps<"input">) {
  const key = useShortcut<HTMLInputElement>(searchKey, goTo);
  return (
    <input
      type="search"
      name="q"
      maxLength={200}
      autoComplete="off"
      enterKeyHint="search"
      {...rest}
      {...key}
      className={`min-h-11 w-full rounded-lg border border-edge bg-raised text-base placeholder:text-muted sm:text-sm ${className}`}
    />
  );
}
