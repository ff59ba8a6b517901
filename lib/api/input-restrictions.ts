import { dataBounds } from "@/lib/notifications/schema";
import { bodyLimit } from "./call";

/** An input limit beyond what the API describes, with its reason. */
export type InputRestriction = { what: string; takes: string; why: string };

/** An endpoint's fields, each with its limits in words. */
type Described = { takes: readonly { name: string; in: string; bounds: readonly string[] }[] };

/** The limits that the published API leaves open; sizes come from the endpoints. */
export function inputRestrictions(endpoints: readonly Described[]): InputRestriction[] {
  const fields = endpoints.flatMap(({ takes }) => takes).filter((field) => field.in === "body");
  const lengths = fields.flatMap(({ name, bounds }) =>
    bounds.flatMap((bound) => {
      const maxCharacters = /([\d,]+) characters$/.exec(bound)?.[1];
      return maxCharacters ? [`\`${name}\` ${maxCharacters}`] : [];
    }),
  );
  const options = fields.find(({ name }) => name === "options")?.bounds[0] ?? "";
  const { bytes, levels } = dataBounds;
  return [
    {
      what: "Characters",
      takes:
        "No control characters, bidirectional overrides, Unicode tags, unpaired surrogates or stacked combining marks. Line breaks and tabs only in multi-line text. Questions, facts, titles, labels, option IDs and written answers must not be blank.",
      why: "The owner must read exactly what the app asked, in the same order.",
    },
    {
      what: "Lengths",
      takes: `Maximum characters: ${[...new Set(lengths)].join(", ")}.`,
      why: "A person must be able to read the text.",
    },
    {
      what: "Options",
      takes: `${options} options. IDs must differ by more than case, accent encoding and invisible characters. Labels must not look alike or mix alphabets in a word.`,
      why: "Owners and programs must not confuse two options.",
    },
    {
      what: "`data`",
      takes: `At most ${bytes / 1024} KiB and ${levels} levels. Integers of 53 bits. No keys named \`__proto__\`, \`constructor\` or \`prototype\`, and no control characters.`,
      why: "Every JSON parser must read the same value.",
    },
    {
      what: "Unknown fields",
      takes:
        "Unknown fields and query parameters are rejected by name. An approval returned by the API cannot be submitted as is.",
      why: "A typo must not drop text meant for the owner.",
    },
    {
      what: "Bodies",
      takes: `At most ${bodyLimit / 1024} KiB of JSON in UTF-8, sent as \`application/json\`. Other bodies get a 400.`,
      why: "Other websites cannot send such a request without permission.",
    },
    {
      what: "Lists",
      takes: "One page at a time; pass `nextCursor` to get the next.",
      why: "Responses stay small, however many records there are.",
    },
  ];
}
