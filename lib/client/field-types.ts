/** A field's label and hint. By default, the label is the field's name. */
type Named = { title?: string | undefined; description?: string | undefined };
type Titled = { const: string; title: string };
type Verdict = "approve" | "reject";

/** An amount with exactly its currency's decimals, like `{amount: "86.40", currency: "EUR"}`. */
export type Money = { amount: string; currency: string };

/** The schema of one field. `docs/fields.md` lists the limits of each kind. */
export type Field = Named &
  (
    | {
        type: "string";
        enum?: string[] | undefined;
        oneOf?: Titled[] | undefined;
        minLength?: number | undefined;
        maxLength?: number | undefined;
        format?: "email" | "uri" | "date" | "time" | "date-time" | undefined;
        default?: string | undefined;
      }
    | {
        type: "number" | "integer";
        minimum?: number | undefined;
        maximum?: number | undefined;
        default?: number | undefined;
      }
    | { type: "boolean"; default?: boolean | undefined }
    | {
        type: "array";
        items: { type: "string"; enum: string[] } | { anyOf: Titled[] };
        minItems?: number | undefined;
        maxItems?: number | undefined;
        default?: string[] | undefined;
      }
    | {
        type: "object";
        format: "money";
        currency: string;
        minimum?: string | undefined;
        maximum?: string | undefined;
        default?: Money | undefined;
      }
    | {
        type: "object";
        format: "items";
        items: { id: string; label: string; note?: string | undefined }[];
        default?: Record<string, Verdict> | undefined;
      }
  );

/** The fields of a question: the values that the owner fills in. */
export type Fields = { type: "object"; properties: Record<string, Field>; required?: string[] | undefined };

/** The value of a field. */
export type FieldValue = string | number | boolean | string[] | Money | Record<string, Verdict>;

type Choice<Field> = Field extends { enum: readonly (infer Value extends string)[] }
  ? Value
  : Field extends { oneOf: readonly { const: infer Value extends string }[] }
    ? Value
    : Field extends { anyOf: readonly { const: infer Value extends string }[] }
      ? Value
      : string;

/** The type of a field's value. */
type ValueOf<Field> = Field extends { format: "money"; currency: infer Currency extends string }
  ? { amount: string; currency: Currency }
  : Field extends { format: "items"; items: readonly { id: infer Row extends string }[] }
    ? Record<Row, Verdict>
    : Field extends { type: "array"; items: infer Items }
      ? Choice<Items>[]
      : Field extends { type: "boolean" }
        ? boolean
        : Field extends { type: "number" | "integer" }
          ? number
          : Choice<Field>;

type RequiredNames<Asked> = Asked extends { required: readonly (infer Name extends string)[] } ? Name : never;

/**
 * The values of an answer by field name. The type follows from the question's fields if they are
 * written in the call. Only required fields always have a value.
 */
export type ValuesOf<Asked extends FieldsLike> = string extends keyof Asked["properties"]
  ? Record<string, FieldValue>
  : NamedValues<Asked>;

type NamedValues<Asked extends FieldsLike> = {
  [Name in keyof Asked["properties"] as Name extends RequiredNames<Asked> ? Name : never]: ValueOf<
    Asked["properties"][Name]
  >;
} & {
  [Name in keyof Asked["properties"] as Name extends RequiredNames<Asked> ? never : Name]?: ValueOf<
    Asked["properties"][Name]
  >;
};

/** Makes the arrays of a type read-only, at every depth. */
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;

/** Fields as an argument, which may be a constant (`as const`). */
export type FieldsLike = Frozen<Fields>;
