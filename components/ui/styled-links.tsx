import { type ButtonLook, buttonClass } from "./button";
import { Link } from "./link";

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className = "", ...rest }: ButtonLook & React.ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`} />
  );
}

type TextLinkProps = { href: string; children: React.ReactNode };

/** A link in a sentence. */
export const TextLink = ({ href, children }: TextLinkProps) => (
  <Link href={href} className="link">
    {children}
  </Link>
);

/** A link in a sentence. It loads the next page as a new document. */
export const PlainLink = ({ href, children }: TextLinkProps) => (
  <a href={href} className="link">
    {children}
  </a>
);

/** A standalone link with a touch-sized target. */
export const LinkLine = ({ href, children }: TextLinkProps) => (
  <Link href={href} className="link inline-flex min-h-11 items-center sm:min-h-8">
    {children}
  </Link>
);
