/** A text with the search words highlighted. Ignores case. */
export function HighlightMatches({ text, words }: { text: string; words: string | undefined }) {
  const found = (words ?? "").split(/\s+/).filter(Boolean);
  if (found.length === 0) return text;
  const escaped = found.sort((a, b) => b.length - a.length).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text.split(new RegExp(`(${escaped.join("|")})`, "giu")).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their order
      <mark key={index} className="rounded-sm bg-line font-medium text-ink underline underline-offset-2">
        {part}
      </mark>
    ),
  );
}
