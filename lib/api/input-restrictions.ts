import { dataBounds } from "@/lib/notifications/schema";
import { bodyLimit } from "./call";

/** Something that the interface leaves open and this service does not take, and why. */
export type InputRestriction = { what: string; takes: string; why: string };

/** What an endpoint takes, with the bounds of each field in words. */
type Described = { takes: readonly { name: string; in: string; bounds: readonly string[] }[] };

/** Where the service is narrower than the published interface; sizes are those that the endpoints declare. */
export function inputRestrictions(endpoints: readonly Described[]): InputRestriction[] {
  const fields = endpoints.flatMap(({ takes }) => takes).filter((field) => field.in === "body");
  const lengths = fields.flatMap(({ name, bounds }) =>
    bounds.flatMap((bound) => {
      const most = /([\d,]+) characters$/.exec(bound)?.[1];
      return most ? [`\`${name}\` ${most}`] : [];
    }),
  );
  const options = fields.find(({ name }) => name === "options")?.bounds[0] ?? "";
  const { bytes, levels } = dataBounds;
  return [
    {
      what: "Characters",
      takes:
        "No control characters, bidirectional overrides, Unicode tags, halves of surrogate pairs or piles of combining marks in texts. Line breaks and tabs only in those of several lines. Questions, titles, labels, option ids and own words are not blank.",
      why: "What the owner reads must be exactly what was asked, in the same order.",
    },
    {
      what: "Lengths",
      takes: `At most, in characters: ${[...new Set(lengths)].join(", ")}.`,
      why: "A person has to read it.",
    },
    {
      what: "Options",
      takes: `${options} of them. Ids differ by more than case, accents' spelling and invisible characters; labels do not look alike, and mix no alphabets in a word.`,
      why: "No owner should choose one and mean another, and no program should confuse two.",
    },
    {
      what: "`data`",
      takes: `At most ${bytes / 1024} KiB and ${levels} levels. Integers of 53 bits. No keys named \`__proto__\`, \`constructor\` or \`prototype\`, and no control characters.`,
      why: "It must come back the same from every JSON reader.",
    },
    {
      what: "Unknown fields",
      takes:
        "Fields and query parameters that do not exist are refused by name. An approval that was read cannot be submitted as it is.",
      why: "A typo must not lose what the owner should have read.",
    },
    {
      what: "Bodies",
      takes: `At most ${bodyLimit / 1024} KiB of JSON in UTF-8, sent as \`application/json\`; anything else is a 400.`,
      why: "Other websites cannot send such a request on their own.",
    },
    {
      what: "Lists",
      takes: "One page at a time: `nextCursor` leads to the next.",
      why: "Replies stay small, however much there is.",
    },
  ];
}
