const tones = {
  neutral: "bg-fill text-ink",
  solid: "bg-ink text-on-ink forced-colors:text-[CanvasText]",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
};

/** A short word or number next to an element. */
export function Badge({ tone = "neutral", children }: { tone?: keyof typeof tones; children: React.ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap tabular-nums forced-colors:border ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
