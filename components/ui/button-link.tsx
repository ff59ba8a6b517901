import Link from "next/link";
import { buttonClass, type Look } from "./button";

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className = "", ...rest }: Look & React.ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`} />
  );
}
