type CardProps = {
  id?: string;
  title?: string;
  aside?: React.ReactNode;
  children: React.ReactNode;
};

/** A card about one topic. */
export function Card({ id, title, aside, children }: CardProps) {
  return (
    <section {...(id ? { id, tabIndex: -1 } : {})} className="rounded-xl bg-pane forced-colors:border p-4 sm:p-5">
      {title ? (
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="text-base">{title}</h2>
          {aside}
        </div>
      ) : null}
      {children}
    </section>
  );
}
