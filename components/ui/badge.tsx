const tones = {
  neutral: "bg-line text-text",
  accent: "bg-accent-soft text-accent",
  solid: "bg-accent text-accent-text forced-colors:text-[CanvasText]",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  ok: "bg-ok-soft text-ok",
};

/** A short word or number about the adjacent element. */
export function Badge({ tone = "neutral", children }: { tone?: keyof typeof tones; children: React.ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap tabular-nums forced-colors:border ${tones[tone]}`}
    >
      {children}
    </span>
  );
}
