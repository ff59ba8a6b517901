import { openapi } from "@/lib/api/openapi";
import { operations } from "@/lib/api/operation-registry";
import type { Operation } from "@/lib/api-operation";

type Parameter = {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema: { minimum?: number };
  example?: unknown;
};
type Described = { summary: string; description?: string; parameters?: Parameter[] };

/** The collection's file. Postman shows its name after a download. */
export const collectionFile = "public/countersign.postman_collection.json";

/**
 * Returns the API as a collection for Postman, Bruno, Insomnia and Newman (Postman's format 2.1).
 * Each request has a working body. In a run from top to bottom, earlier requests create the records
 * that later ones need.
 */
export function collectionText(): string {
  const { info, tags, paths } = openapi();
  const items = operations.map((op) => ({ op, described: paths[op.path]?.[op.method.toLowerCase()] as Described }));
  const folders = tags.map(({ name, description }) => ({
    ...{ name, description },
    item: items
      .filter(({ op }) => folderOf(op) === name)
      .sort((a, b) => turn(a.op) - turn(b.op))
      .map(({ op, described }) => requestOf(op, described)),
  }));
  const collection = {
    info: {
      name: info.title,
      description: `${info.description}\n\nSet the variables \`baseUrl\` and \`token\`. The collection stores the ID of each created record in a variable for later requests.`,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: "http://localhost:3000" },
      { key: "token", value: "" },
      ...operations.flatMap((op) => (op.status === 201 ? [{ key: idOf(op), value: "" }] : [])),
    ],
    item: folders,
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

const folderOf = ({ path }: Operation) => path.split("/")[2] ?? "";
/** Returns the name of the variable that holds the last created ID, like `approvalId`. */
const idOf = (op: Operation) => `${folderOf(op).replace(/s$/, "")}Id`;

/**
 * Returns a request's position in its folder: creation, lists, single records, changes, then
 * deletions. Requests about an answered approval come last.
 */
function turn({ status, path, method, example, tool }: Operation): number {
  if (status === 201) return 0;
  if (example.answered) return 5;
  if (tool?.destructive) return 4;
  if (method === "POST") return 3;
  return path.endsWith("{id}") ? 2 : 1;
}

function requestOf(op: Operation, { summary, description, parameters = [] }: Described) {
  const path = op.path
    .slice(1)
    .replace("{id}", `{{${idOf(op)}}}`)
    .split("/");
  // Users can turn on the optional parameters.
  const offered = (place: string) =>
    parameters
      .filter((each) => each.in === place)
      .map((each) => ({ key: each.name, value: offer(each), description: each.description, disabled: !each.required }));
  const query = offered("query");
  const scope = op.scope ? `Needs the scope \`${op.scope}\`.` : "Any token will do.";
  return {
    name: summary,
    event: [{ listen: "test", script: { type: "text/javascript", exec: checks(op) } }],
    request: {
      method: op.method,
      description: [description, scope].filter(Boolean).join("\n\n"),
      header: [...(op.method === "POST" ? [json] : []), ...offered("header")],
      url: {
        raw: `{{baseUrl}}/${path.join("/")}`,
        host: ["{{baseUrl}}"],
        path,
        ...(query.length > 0 && { query }),
      },
      ...(op.method === "POST" && {
        body: {
          mode: "raw",
          raw: JSON.stringify(op.example.body, null, 2),
          options: { raw: { language: "json" } },
        },
      }),
    },
    response: [],
  };
}

const json = { key: "Content-Type", value: "application/json" };

const offer = ({ name, schema, example }: Parameter) =>
  name === "Idempotency-Key" ? "{{$guid}}" : String(example ?? schema.minimum ?? "");

function checks({ status = 200, ...op }: Operation): string[] {
  // In this collection, the app answers the approval, and only an owner's answer can be used.
  const expected = op.requiresKey ? 409 : status;
  return [
    `pm.test("Status is ${expected}", () => pm.response.to.have.status(${expected}));`,
    ...(status === 201 ? [`pm.collectionVariables.set("${idOf(op)}", pm.response.json().id);`] : []),
  ];
}
