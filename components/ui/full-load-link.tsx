type PlainLinkProps = { href: string; children: React.ReactNode };

/** A link in a sentence that loads its page anew, without scripts of ours. */
export const PlainLink = ({ href, children }: PlainLinkProps) => (
  <a href={href} className="link">
    {children}
  </a>
);
