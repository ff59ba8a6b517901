import { env } from "@/lib/config/env";
import { type Endpoint, type Field, reference } from "../reference";

/*
 * What no page says by itself, since the code says it already: as Markdown, by the name under which a page asks for it.
 */

const read = () => reference(env().publicUrl);
/** A cell holds one line, in which a bar would end it. */
const row = (...cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
const table = (heads: readonly string[], rows: readonly string[][]) =>
  [row(...heads), `|${"---|".repeat(heads.length)}`, ...rows.map((cells) => row(...cells))].join("\n");

/** By its name, what is derived. */
export const generatedBlocks: Record<string, () => string> = {
  reference: () => {
    const { endpoints, baseUrl } = read();
    return [
      "# API reference",
      `JSON over HTTP at \`${baseUrl}\`. Every request carries \`Authorization: Bearer …\`. The same as a description for programs: [openapi.json](${baseUrl}/api/openapi.json) (OpenAPI 3.1), and [openapi-3.0.json](${baseUrl}/api/openapi-3.0.json) for tools that read nothing newer.`,
      "## Endpoints",
      table(
        ["", "", "needs"],
        endpoints.map(({ id, method, path, summary, scope }) => [
          `[${summary}](#${id})`,
          `\`${method} ${path}\``,
          scope ? `\`${scope}\`` : "",
        ]),
      ),
      ...endpoints.map(endpoint),
      "## Errors",
      "A refusal explains itself in `error`. `details` names what is wrong, with 400 field by field, and what to send instead. Every reply has an `X-Request-Id`; the list of requests on the Developer page shows it for seven days.",
      '```json\n{"error":"Bad request","details":[{"path":"options","message":"Required"}]}\n```',
      generatedBlocks.errors?.(),
      "## Limits on input {#narrower}",
      "The interface does not say how much a field may hold. This service accepts everything but this:",
      ...read().narrower.map(({ what, takes, why }) => `- **${what}**: ${takes} ${why}`),
    ].join("\n\n");
  },
  errors: () =>
    table(
      ["status", "means", "what to do"],
      read().errors.map(({ status, means, advice }) => [String(status), means, advice]),
    ),
  scopes: () =>
    table(
      ["permission", "your app may", "the owner reads"],
      read().scopes.map(({ scope, api, sentence, usual, sensitive }) => [
        `\`${scope}\`${sensitive ? ", never ticked in advance" : usual ? ", usual" : ""}`,
        api,
        `“${sentence}”`,
      ]),
    ),
};

function endpoint({ id, method, path, scope, summary, description, takes, gives, success, failures, curl }: Endpoint) {
  const needs = scope ? `Needs \`${scope}\`.` : "Any valid token works.";
  return [
    `### ${summary} {#${id}}`,
    `\`${method} ${path}\``,
    description,
    `${needs} Answers ${success}, or [${failures.join(", ")}](#errors).`,
    `\`\`\`sh\n${curl}\n\`\`\``,
    ...fields("Takes", takes),
    ...fields("Gives back", gives),
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
    ...(!required && reply ? ["not always"] : []),
    ...bounds.map((bound) => bound.replaceAll("*", "\\*")),
  ];
  return `- \`${name}\` *${notes.join(" · ")}*${description ? `  \n  ${description.replaceAll("\n", " ")}` : ""}`;
}
