type MarkProps = { provider: string; name: string; className?: string };

/**
 * A provider's icon in our own design, never its trademark. Decorative: the name is always next to
 * it.
 */
export function ProviderMark({ provider, name, className = "size-9" }: MarkProps) {
  const draw = Object.hasOwn(signs, provider) ? signs[provider] : undefined;
  return (
    <svg viewBox="0 0 36 36" aria-hidden="true" focusable="false" className={`shrink-0 ${className}`}>
      <rect x="0.5" y="0.5" width="35" height="35" rx="9" className="fill-bg stroke-line" />
      {draw ?? <Lettered letter={[...name.trim()][0] ?? ""} ink="fill-ink" />}
    </svg>
  );
}

const Lettered = ({ letter, ink }: { letter: string; ink: string }) => (
  <text x="18" y="24" textAnchor="middle" className={`text-[17px] font-semibold uppercase ${ink}`}>
    {letter}
  </text>
);

const line = { fill: "none", strokeWidth: 1.75, strokeLinecap: "round", strokeLinejoin: "round" } as const;

const signs: Record<string, React.ReactNode> = {
  google: <Lettered letter="G" ink="fill-ink" />,
  microsoft: <Lettered letter="M" ink="fill-focus" />,
  // A branch that starts from the main line of a version history.
  github: (
    <g {...line} className="stroke-ink">
      <path d="M12.5 13v10M12.5 20c0-4 11-2.5 11-7" />
      <circle cx="12.5" cy="10.5" r="2.5" />
      <circle cx="12.5" cy="25.5" r="2.5" />
      <circle cx="23.5" cy="10.5" r="2.5" />
    </g>
  ),
  mail: (
    <g {...line} className="stroke-ink">
      <rect x="8.5" y="11" width="19" height="14" rx="2" />
      <path d="m9.5 12.5 8.5 6.5 8.5-6.5" />
    </g>
  ),
};
