/** Names and values, two columns where there is room. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: React.ReactNode])[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {items.map(([name, value]) => (
        <div key={name} className="grid gap-x-6 sm:contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
