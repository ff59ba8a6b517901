/** The key that does the same; only where a keyboard is likely. */
export function KeyCap({ shown = true, children }: { shown?: boolean; children: React.ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={`hidden size-6 shrink-0 items-center justify-center rounded border border-line bg-bg font-sans text-xs text-muted tabular-nums in-data-[keys=off]:hidden! ${shown ? "lg:inline-flex" : "lg:invisible lg:inline-flex"}`}
    >
      {children}
    </span>
  );
}
