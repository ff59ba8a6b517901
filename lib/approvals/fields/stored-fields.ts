import { sortKeys } from "../content-hash";
import type { Fields } from "./field-schema";

/**
 * The fields as stored: their names in display order, and their schema as canonical JSON, which the
 * content hash covers.
 */
export type StoredFields = { order: string[]; schema: Fields };

export const storeFields = (fields: Fields): StoredFields => ({
  order: Object.keys(fields.properties),
  schema: sortKeys(fields),
});

/** Returns the fields in display order. */
export const readFields = ({ order, schema }: StoredFields): Fields => ({
  ...schema,
  properties: Object.fromEntries(
    order.flatMap((name) => {
      const field = schema.properties[name];
      return field ? [[name, field]] : [];
    }),
  ),
});
