/** Names and values, in two columns. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: React.ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_1fr] items-baseline gap-x-5 gap-y-2">
      {items.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
