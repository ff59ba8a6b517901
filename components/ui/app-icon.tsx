const inks = ["fill-accent", "fill-warn", "fill-danger", "fill-focus", "fill-muted"];

/** An app's sign, drawn by us from its name: apps never bring pictures. Decoration, the name stands beside it. */
export function AppIcon({ name, className = "size-9" }: { name: string; className?: string }) {
  const words = name.trim().split(/[\s._-]+/u);
  const initials = [words[0], words[1]].map((word) => [...(word ?? "")][0] ?? "").join("");
  const sum = [...name].reduce((total, letter) => (total * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
  return (
    <svg viewBox="0 0 36 36" aria-hidden="true" focusable="false" className={`shrink-0 ${className}`}>
      <rect x="0.5" y="0.5" width="35" height="35" rx="9" className="fill-bg stroke-line" />
      <rect x="7" y="29" width="22" height="2" rx="1" className={inks[sum % inks.length] ?? ""} />
      <text x="18" y="22.5" textAnchor="middle" className="fill-text text-[13px] font-semibold uppercase">
        {initials}
      </text>
    </svg>
  );
}
