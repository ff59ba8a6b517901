import { Link } from "./link";

type TextLinkProps = { href: string; children: React.ReactNode };

/** A link in a sentence. */
export const TextLink = ({ href, children }: TextLinkProps) => (
  <Link href={href} className="link">
    {children}
  </Link>
);

/** A link by itself, as high as a finger needs. */
export const LinkLine = ({ href, children }: TextLinkProps) => (
  <Link href={href} className="link inline-flex min-h-11 items-center sm:min-h-8">
    {children}
  </Link>
);
