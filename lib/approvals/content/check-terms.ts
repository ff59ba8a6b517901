import type { Fields } from "../fields/field-schema";
import { hasNone } from "../fields/schema";
import type { SignedByOwner } from "../sign/schema";

/** The parts of a question that must fit each other. */
type Terms = {
  options: { id: string; fields?: boolean | undefined }[];
  fields?: Fields | undefined;
  expiresAt?: number | undefined;
  defaultOptionId?: string | undefined;
  ownerOnly?: boolean | undefined;
  match?: string | undefined;
  signedByOwner?: SignedByOwner | undefined;
};

/**
 * Returns why a default is invalid; undefined if it is valid. A default requires a deadline and
 * must be one of the options. It can't be combined with `ownerOnly`, `match` or `signedByOwner`,
 * because it is not the owner's answer.
 */
export function defaultProblem({ options, expiresAt, defaultOptionId, ...others }: Terms): string | undefined {
  const { ownerOnly, match, signedByOwner } = others;
  if (defaultOptionId === undefined) return undefined;
  if (!options.some(({ id }) => id === defaultOptionId)) return "Must be the ID of one of this approval's options";
  if (expiresAt === undefined) return "Requires expiresAt, because the default applies at the deadline";
  const forOwner = ownerOnly
    ? "ownerOnly"
    : match !== undefined
      ? "match"
      : signedByOwner
        ? "signedByOwner"
        : undefined;
  return forOwner && `Cannot be combined with ${forOwner}, because a default is not the owner's answer`;
}

/** Returns why fields and options don't fit each other; undefined if they do. */
export function fieldsProblem({ fields, options, defaultOptionId }: Terms): string | undefined {
  const taking = options.filter((option) => option.fields);
  if (!fields || hasNone(fields)) return taking.length > 0 ? "Required, because an option takes fields" : undefined;
  if (taking.length === 0) return "Requires an option with fields: true";
  return taking.some(({ id }) => id === defaultOptionId)
    ? "The default option cannot take fields, because no one fills them in"
    : undefined;
}
