import { createHash, randomBytes } from "node:crypto";
import fastify from "fastify";
import pg from "pg";

/**
 * The lean server: what a competent team would write instead of Countersign for these four
 * requests, on its own tables (`schema.ts`). Each request is one prepared statement that checks the
 * token, its scope and the approval's owner. It has no events, content hash, limits or log.
 *
 * The comparison is fair to the lean server. It uses every usual optimization of this stack. These
 * are named statements, precompiled JSON Schema, a pool of ten connections, IDs in creation order,
 * and both required indexes. Node.js flags, PostgreSQL durability and row counts are the same. The
 * comparison is also fair to Countersign: the lean server checks permissions, validates input, and
 * replies after the commit.
 */
const [, , url = ""] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = fastify();

const hash = (header = "") => createHash("sha256").update(header.slice("Bearer ".length)).digest();

/** A UUID of version 7, so that indexes grow at their end (RFC 9562, section 5.7). */
function newId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] as number) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const caller = (scope: string) => `caller AS (
  SELECT owner_id, app_id, '${scope}' = ANY (scopes) AS allowed
  FROM token
  WHERE hash = $1 AND revoked_at IS NULL AND expires_at > now()
)`;

type ApprovalRow = {
  allowed: boolean;
  id: string | null;
  app_id: string;
  question: string;
  options: unknown;
  background_context: string | null;
  recommendation: string | null;
  status: string;
  resolution: unknown;
  created_at: Date;
};
const columns =
  "a.id, a.app_id, a.question, a.options, a.background_context, a.recommendation, a.status, a.resolution, a.created_at";
const toApproval = (row: ApprovalRow) => ({
  id: row.id,
  createdAt: row.created_at.getTime(),
  clientId: row.app_id,
  question: row.question,
  options: row.options,
  ...(row.background_context !== null && { backgroundContext: row.background_context }),
  ...(row.recommendation !== null && { recommendation: row.recommendation }),
  status: row.status,
  ...(row.resolution !== null && { resolution: row.resolution }),
});

const string = { type: "string" };
const number = { type: "number" };
const object = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
const options = {
  type: "array",
  minItems: 1,
  maxItems: 20,
  items: object({ id: string, label: string, note: string }, ["id", "label"]),
};
const approval = object({
  ...{ id: string, createdAt: number, clientId: string, question: string, status: string },
  ...{ backgroundContext: string, recommendation: string, options },
  resolution: object({ kind: string, optionId: string, otherText: string, note: string, resolvedAt: number }),
});
const newApproval = object({ question: string, options, backgroundContext: string, recommendation: string }, [
  "question",
  "options",
]);
const answer = object({ kind: string, optionId: string, otherText: string, note: string }, ["kind"]);
const uuid = object({ id: { type: "string", format: "uuid" } });
const listQuery = object({ limit: { type: "integer", minimum: 1, maximum: 200, default: 100 } });

const refusals = { 401: "Unauthorized", 403: "Forbidden", 404: "Not found", 409: "Already resolved" };
/** The status of a refusal: the caller is unknown, lacks the scope, or has no such approval. */
const refused = (row: { allowed: boolean } | undefined, found = true) =>
  row === undefined ? 401 : !row.allowed ? 403 : found ? undefined : 404;

type NewApproval = { question: string; options: unknown; backgroundContext?: string; recommendation?: string };
app.post<{ Body: NewApproval }>(
  "/api/approvals",
  { schema: { body: newApproval, response: { 201: object({ id: string }) } } },
  async (request, reply) => {
    const id = newId();
    const { question, options, backgroundContext, recommendation } = request.body;
    const { rows } = await pool.query<{ allowed: boolean }>({
      name: "submit",
      text: `WITH ${caller("approvals:write")}, inserted AS (
          INSERT INTO approval (id, owner_id, app_id, question, options, background_context, recommendation)
          SELECT $2, owner_id, app_id, $3, $4, $5, $6 FROM caller WHERE allowed
        )
        SELECT allowed FROM caller`,
      values: [
        hash(request.headers.authorization),
        id,
        question,
        JSON.stringify(options),
        backgroundContext ?? null,
        recommendation ?? null,
      ],
    });
    const status = refused(rows[0]);
    return status ? reply.code(status).send({ error: refusals[status] }) : reply.code(201).send({ id });
  },
);

app.get<{ Params: { id: string } }>(
  "/api/approvals/:id",
  { schema: { params: uuid, response: { 200: approval } } },
  async (request, reply) => {
    const { rows } = await pool.query<ApprovalRow>({
      name: "get",
      text: `WITH ${caller("approvals:read")}
        SELECT c.allowed, ${columns}
        FROM caller c
          LEFT JOIN approval a ON a.id = $2 AND a.owner_id = c.owner_id AND a.app_id = c.app_id AND c.allowed`,
      values: [hash(request.headers.authorization), request.params.id],
    });
    const status = refused(rows[0], rows[0]?.id !== null);
    return status ? reply.code(status).send({ error: refusals[status] }) : toApproval(rows[0] as ApprovalRow);
  },
);

app.get<{ Querystring: { limit: number } }>(
  "/api/approvals",
  { schema: { querystring: listQuery, response: { 200: object({ data: { type: "array", items: approval } }) } } },
  async (request, reply) => {
    const { rows } = await pool.query<ApprovalRow>({
      name: "list",
      text: `WITH ${caller("approvals:read")}
        SELECT c.allowed, ${columns}
        FROM caller c
          LEFT JOIN LATERAL (
            SELECT * FROM approval
            WHERE owner_id = c.owner_id AND app_id = c.app_id AND c.allowed
            ORDER BY created_at DESC, id DESC
            LIMIT $2
          ) AS a ON true`,
      values: [hash(request.headers.authorization), request.query.limit],
    });
    const status = refused(rows[0]);
    if (status) return reply.code(status).send({ error: refusals[status] });
    return { data: rows.filter(({ id }) => id !== null).map(toApproval) };
  },
);

type Answer = { kind: string; optionId?: string; otherText?: string; note?: string };
app.post<{ Params: { id: string }; Body: Answer }>(
  "/api/approvals/:id/resolve",
  { schema: { params: uuid, body: answer } },
  async (request, reply) => {
    const { kind, optionId, otherText, note } = request.body;
    const { rows } = await pool.query<{ allowed: boolean; found: boolean; won: boolean }>({
      name: "resolve",
      text: `WITH ${caller("approvals:resolve")}, found AS (
          SELECT a.id
          FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id AND c.allowed
          WHERE a.id = $2
        ), won AS (
          UPDATE approval a
          SET status = 'resolved', resolution = json_strip_nulls(json_build_object(
            'kind', $3::text, 'optionId', $4::text, 'otherText', $5::text, 'note', $6::text,
            'resolvedAt', (extract(epoch FROM now()) * 1000)::bigint))
          FROM found
          WHERE a.id = found.id AND a.status = 'pending' AND (
            $4::text IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = $4))
          RETURNING a.id
        )
        SELECT allowed, EXISTS (SELECT FROM found) AS found, EXISTS (SELECT FROM won) AS won FROM caller`,
      values: [
        hash(request.headers.authorization),
        request.params.id,
        kind,
        optionId ?? null,
        otherText ?? null,
        note ?? null,
      ],
    });
    const status = refused(rows[0], rows[0]?.found) ?? (rows[0]?.won ? undefined : 409);
    return status ? reply.code(status).send({ error: refusals[status] }) : { ok: true };
  },
);

await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
