import { type ButtonLook, buttonClass } from "./button";
import { Link } from "./link";

/** A link that looks like a button. */
export function ButtonLink({ variant, size, className = "", ...rest }: ButtonLook & React.ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`} />
  );
}
