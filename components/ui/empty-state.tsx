type EmptyStateProps = { title: string; children?: React.ReactNode; action?: React.ReactNode };

/** Nothing is here, why, and what to do about it. The heading can take the focus after the last item has gone. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 rounded-xl border border-dashed border-edge px-6 py-12 text-center">
      <h2 tabIndex={-1} className="text-base outline-none">
        {title}
      </h2>
      {children ? <div className="max-w-[52ch] text-muted">{children}</div> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
}
