type TechnicalNamesProps = {
  scopes: readonly { scope: string; sentence: string }[];
  label?: string;
  className?: string;
};

/** The scopes' technical names, collapsed because no decision needs them. */
export const TechnicalNames = ({ scopes, label = "Technical names", className = "" }: TechnicalNamesProps) => (
  <details className={`pt-1 open:basis-full ${className}`}>
    <summary className="link inline-flex min-h-11 items-center text-muted sm:min-h-8">{label}</summary>
    <dl className="grid gap-x-4 gap-y-1 pb-2 sm:grid-cols-[max-content_1fr]">
      {scopes.map(({ scope, sentence }) => (
        <div key={scope} className="contents">
          <dt>{sentence}</dt>
          <dd className="mono text-muted max-sm:mb-1">{scope}</dd>
        </div>
      ))}
    </dl>
  </details>
);
