/** Names and values in two columns. A name without a value is omitted. */
export function DescriptionList({ of }: { of: Record<string, React.ReactNode> }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-5 gap-y-2">
      {Object.entries(of).map(([name, value]) =>
        value === undefined ? null : (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
