/** A link in a sentence that loads its page anew, without scripts of ours. */
export const PlainLink = ({ href, children }: { href: string; children: React.ReactNode }) => (
  <a href={href} className="link">
    {children}
  </a>
);
