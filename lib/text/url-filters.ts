import { z } from "zod";
import type { Prefix } from "@/lib/ids";

/**
 * The schema of a parameter in a page's URL. An invalid value counts as absent, because people edit
 * URLs.
 */
export const optionalParam = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

export const idFilter = (prefix: Prefix) => optionalParam(z.string().regex(new RegExp(`^${prefix}_[0-9a-v]{32}$`)));

/** A day in the reader's time zone: "2026-11-20". */
export const dayFilter = optionalParam(z.iso.date().refine((day) => day > "1970"));

/** Search words. At most 200 characters count. */
export const wordsFilter = optionalParam(z.string().transform((text) => text.trim().slice(0, 200) || undefined));
