"use client";
import { useState } from "react";
import { useShortcut } from "@/components/keyboard/use-shortcut";
import type { ApprovalOption } from "@/lib/approvals/content/option-schema";

/** The minimum number of options for which a search box is shown. */
const many = 10;

/** Returns the options whose label or note contains the search text. */
export const optionsWith = (options: ApprovalOption[], words: string): ApprovalOption[] =>
  options.filter(({ label, note = "" }) => `${label}\n${note}`.toLowerCase().includes(words));

/**
 * Provides the search field for questions with many options.
 * @param alive whether scripts are running
 */
export function useOptionSearch(options: ApprovalOption[], alive: boolean) {
  const [text, setText] = useState("");
  const isOffered = options.length >= many;
  const field = useShortcut<HTMLInputElement>(
    alive && isOffered ? { shortcut: "f", description: "Find an option" } : {},
    (box) => box.focus(),
  );
  const words = text.trim().toLowerCase();
  return { isOffered, field, text, setText, words, found: optionsWith(options, words) };
}
