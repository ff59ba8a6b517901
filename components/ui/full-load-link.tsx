type PlainLinkProps = { href: string; children: React.ReactNode };

/** An inline link with a full page load. */
export const PlainLink = ({ href, children }: PlainLinkProps) => (
  <a href={href} className="link">
    {children}
  </a>
);
