"use client";
import { ButtonLink } from "@/components/ui/styled-links";
import { type Shortcut, useShortcut } from "./use-shortcut";

/** A link that looks like a button and may have a shortcut. */
export function KeyLink({
  shortcut,
  description,
  ...rest
}: React.ComponentProps<typeof ButtonLink> & Partial<Shortcut>) {
  const key = useShortcut<HTMLAnchorElement>({ ...(shortcut !== undefined && { shortcut }), description });
  return <ButtonLink {...rest} {...key} />;
}
