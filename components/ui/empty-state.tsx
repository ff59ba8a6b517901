type EmptyStateProps = { title: string; children?: React.ReactNode; action?: React.ReactNode };

/**
 * Replaces an empty list: the reason and the next step. The heading can take the focus after the
 * last item disappears.
 */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-16 text-center">
      <h2 tabIndex={-1} className="text-lg outline-none">
        {title}
      </h2>
      {children ? <div className="max-w-[52ch] text-muted">{children}</div> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  );
}
