import { env } from "@/lib/config/env";
import { dataBounds } from "@/lib/notifications/schema";
import { bodyLimit } from "../operation-request";
import { type Endpoint, type Field, reference } from "../reference";

/*
 * Some parts of the pages are derived from code. This module returns those parts as Markdown, by
 * name.
 */

const read = () => reference(env().publicUrl);
/** Formats a table row. Escapes vertical bars, which would end a cell. Cells must be one line. */
const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (heads: readonly string[], rows: readonly string[][]) =>
  [row(...heads), `|${"---|".repeat(heads.length)}`, ...rows.map((cells) => row(...cells))].join("\n");

/** The derived blocks, by name. */
export const generatedBlocks: Record<string, () => string> = {
  reference: () => {
    const { endpoints, baseUrl } = read();
    return [
      "# API reference",
      `JSON over HTTP at \`${baseUrl}\`. Every request carries \`Authorization: Bearer …\`. Machine-readable descriptions: [openapi.json](${baseUrl}/api/openapi.json) (OpenAPI 3.1), and [openapi-3.0.json](${baseUrl}/api/openapi-3.0.json) for tools that do not support OpenAPI 3.1.`,
      "## Endpoints",
      table(
        ["", "", "scope"],
        endpoints.map(({ id, method, path, summary, scope }) => [
          `[${summary}](#${id})`,
          `\`${method} ${path}\``,
          scope ? `\`${scope}\`` : "",
        ]),
      ),
      ...endpoints.map(endpoint),
      "## Errors",
      "Every error has a message in `error`. `details` has the reason and the fix. With status 400, `details` lists each invalid field. Every response has an `X-Request-Id`. The request log on the Developer page shows this ID for seven days.",
      '```json\n{"error":"Bad request","details":[{"path":"options","message":"Required"}]}\n```',
      generatedBlocks.errors?.(),
      "## Limits on input {#narrower}",
      "Each field above lists its own limits. The limits below apply to all requests:",
      inputLimits.join("\n"),
    ].join("\n\n");
  },
  errors: () =>
    table(
      ["status", "means", "what to do"],
      read().errors.map(({ status, means, advice }) => [String(status), means, advice]),
    ),
  scopes: () =>
    table(
      ["permission", "allows", "shown to the owner"],
      read().scopes.map(({ scope, api, sentence, usual, sensitive }) => [
        `\`${scope}\`${sensitive ? ", never preselected" : usual ? ", usual" : ""}`,
        api,
        `“${sentence}”`,
      ]),
    ),
};

/** Input limits that the OpenAPI description omits, with their reasons. */
const inputLimits = [
  "- **Characters**: No control characters, bidirectional overrides, Unicode tags, unpaired surrogates or stacked combining marks. Line breaks and tabs only in multi-line text. Questions, facts, titles, labels, option IDs and written answers must not be blank. The owner therefore reads exactly what the app asked, in the same order.",
  "- **Options**: IDs must differ by more than case, accent encoding and invisible characters. Labels must not look alike or mix alphabets in a word. These rules keep owners and programs from confusing two options.",
  `- **\`data\`**: At most ${dataBounds.bytes / 1024} KiB and ${dataBounds.levels} levels. Integers of 53 bits. No keys named \`__proto__\`, \`constructor\` or \`prototype\`, and no control characters. Every JSON parser therefore reads the same value.`,
  "- **Unknown fields**: Unknown fields and query parameters are rejected by name, so that a typo cannot drop text meant for the owner. An approval returned by the API cannot be submitted as is.",
  `- **Bodies**: At most ${bodyLimit / 1024} KiB of JSON in UTF-8, sent as \`application/json\`. Other bodies get a 400. The content type keeps other websites from sending requests without permission.`,
];

function endpoint({ id, method, path, scope, summary, description, takes, gives, success, failures, curl }: Endpoint) {
  const needs = scope ? `Needs \`${scope}\`.` : "Any valid token works.";
  return [
    `### ${summary} {#${id}}`,
    `\`${method} ${path}\``,
    description,
    `${needs} Returns ${success}, or [${failures.join(", ")}](#errors).`,
    `\`\`\`sh\n${curl}\n\`\`\``,
    ...fields("Takes", takes),
    ...fields("Returns", gives),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const fields = (title: string, all: readonly Field[]) =>
  all.length === 0
    ? []
    : [
        `<details${title === "Takes" ? " open" : ""}><summary>${title} (${all.length})</summary>`,
        all.map(fieldLine).join("\n"),
        "</details>",
      ];

function fieldLine({ name, in: where, type, required, bounds, description = "" }: Field): string {
  const reply = where === "reply";
  const notes = [
    ...(where === "body" || reply ? [] : [where]),
    type,
    ...(required && !reply ? ["required"] : []),
    ...(!required && reply ? ["may be absent"] : []),
    ...bounds.map((bound) => bound.replaceAll("*", "\\*")),
  ];
  return `- \`${name}\` *${notes.join(" · ")}*${description ? `  \n  ${description.replaceAll("\n", " ")}` : ""}`;
}
