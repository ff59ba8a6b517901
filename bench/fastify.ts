import { createHmac, randomBytes } from "node:crypto";
import fastify from "fastify";
import pg from "pg";

/**
 * The baseline: a bare Fastify and pg server on the same tables. It has the same guards in its SQL
 * (token, scope, owner and app in one statement), but no limits and no events. It uses the usual
 * optimizations: prepared statements, response schemas, no logging. Node serializes rows to JSON.
 */
const [, , url = "", pepper = ""] = process.argv;
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = fastify();

const who = (scope: string) => `who AS (
  SELECT g.id AS grant_id, g.owner_id, g.app_id,
    '${scope}' = ANY (t.scopes) AND EXISTS (SELECT FROM grant_scope s WHERE s.grant_id = g.id AND s.scope = '${scope}') AS allowed
  FROM token t JOIN app_grant g ON g.id = t.grant_id JOIN app ON app.id = g.app_id
  WHERE t.hash = $1 AND t.revoked_at IS NULL AND t.expires_at > now() AND g.revoked_at IS NULL
    AND (g.expires_at IS NULL OR g.expires_at > now()) AND app.deleted_at IS NULL), caller AS (SELECT * FROM who WHERE allowed)`;

const hash = (header: string | undefined) =>
  createHmac("sha256", Buffer.from(pepper, "hex"))
    .update((header ?? "").slice(7))
    .digest();

/** Ordered by time, so that indexes grow at their end. */
const newId = () => `apr_${Date.now().toString(16).padStart(12, "0")}${randomBytes(10).toString("hex")}`;

const columns =
  "a.id, a.created_at, a.app_id, a.question, a.options, a.background_context, a.recommendation, a.status, a.resolution";
type ApprovalRow = Record<string, unknown> & { id: string | null; created_at: Date };
const toApproval = (row: ApprovalRow) => ({
  _id: row.id,
  _creationTime: row.created_at.getTime(),
  clientId: row.app_id,
  question: row.question,
  options: row.options,
  ...(row.background_context !== null && { backgroundContext: row.background_context }),
  ...(row.recommendation !== null && { recommendation: row.recommendation }),
  status: row.status,
  ...(row.resolution !== null && { resolution: row.resolution }),
});

/** Response schemas speed up Fastify's serialization. */
const string = { type: "string" };
const number = { type: "number" };
const object = (properties: object) => ({ type: "object", properties });
const approval = object({
  ...{ _id: string, _creationTime: number, clientId: string, question: string, status: string },
  ...{ backgroundContext: string, recommendation: string },
  options: { type: "array", items: object({ id: string, label: string, note: string, style: string }) },
  resolution: object({
    ...{ kind: string, optionId: string, otherText: string, note: string, resolvedBy: string, resolvedAt: number },
  }),
});
const replies = (schema: object) => ({ schema: { response: { 200: schema } } });

app.post<{ Body: { question: string; options: unknown; backgroundContext?: string; recommendation?: string } }>(
  "/api/approvals",
  async (request, reply) => {
    const id = newId();
    const { question, options, backgroundContext, recommendation } = request.body;
    const { rows } = await pool.query({
      name: "submit",
      text: `WITH ${who("approvals:write")}, made AS (
          INSERT INTO approval (id, owner_id, app_id, question, options, background_context, recommendation)
          SELECT $2, c.owner_id, c.app_id, $3, $4::json, $5, $6 FROM caller c RETURNING owner_id, app_id, id
        ), told AS (INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'approval.submitted', id FROM made)
        SELECT allowed FROM who`,
      values: [
        hash(request.headers.authorization),
        id,
        question,
        JSON.stringify(options),
        backgroundContext ?? null,
        recommendation ?? null,
      ],
    });
    if (!rows[0]) return reply.code(401).send({ error: "Unauthorized" });
    if (!rows[0].allowed) return reply.code(403).send({ error: "Forbidden" });
    return reply.code(201).send({ id });
  },
);

app.get<{ Params: { id: string } }>("/api/approvals/:id", replies(approval), async (request, reply) => {
  const { rows } = await pool.query<ApprovalRow & { allowed: boolean }>({
    name: "get",
    text: `WITH ${who("approvals:read")} SELECT who.allowed, ${columns}
      FROM who LEFT JOIN approval a ON a.id = $2 AND a.owner_id = who.owner_id AND a.app_id = who.app_id`,
    values: [hash(request.headers.authorization), request.params.id],
  });
  if (!rows[0]) return reply.code(401).send({ error: "Unauthorized" });
  if (!rows[0].allowed) return reply.code(403).send({ error: "Forbidden" });
  return rows[0].id === null ? reply.code(404).send({ error: "Not found" }) : toApproval(rows[0]);
});

const page = object({ data: { type: "array", items: approval } });
app.get<{ Querystring: { limit?: string } }>("/api/approvals", replies(page), async (request, reply) => {
  const { rows } = await pool.query<ApprovalRow & { allowed: boolean }>({
    name: "list",
    text: `WITH ${who("approvals:read")} SELECT who.allowed, ${columns} FROM who LEFT JOIN LATERAL (
        SELECT a.* FROM approval a WHERE a.owner_id = who.owner_id AND a.app_id = who.app_id
        ORDER BY a.created_at DESC, a.id DESC LIMIT $2) AS a ON true`,
    values: [hash(request.headers.authorization), Number(request.query.limit ?? 100)],
  });
  if (!rows[0]) return reply.code(401).send({ error: "Unauthorized" });
  if (!rows[0].allowed) return reply.code(403).send({ error: "Forbidden" });
  return { data: rows.filter((row) => row.id !== null).map(toApproval) };
});

app.post<{ Params: { id: string }; Body: { kind: string; optionId?: string; otherText?: string; note?: string } }>(
  "/api/approvals/:id/resolve",
  async (request, reply) => {
    const { kind, optionId, otherText, note } = request.body;
    const { rows } = await pool.query<{ allowed: boolean; status: string | null; won: boolean }>({
      name: "resolve",
      text: `WITH ${who("approvals:resolve")}, asked AS (
          SELECT a.id, a.status, $4::text IS NULL OR EXISTS (SELECT FROM json_array_elements(a.options) AS o WHERE o ->> 'id' = $4) AS offered
          FROM approval a JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id WHERE a.id = $2
        ), won AS (
          UPDATE approval a SET status = 'resolved', resolved_at = now(), resolution = json_strip_nulls(json_build_object(
            'kind', $3::text, 'optionId', $4::text, 'otherText', $5::text, 'note', $6::text, 'resolvedBy', 'api',
            'resolvedAt', (extract(epoch FROM now()) * 1000)::bigint))
          FROM asked WHERE a.id = asked.id AND a.status = 'pending' AND asked.offered RETURNING a.owner_id, a.app_id, a.id
        ), told AS (INSERT INTO event (owner_id, app_id, type, subject) SELECT owner_id, app_id, 'approval.resolved', id FROM won)
        SELECT allowed, (SELECT status FROM asked), EXISTS (SELECT FROM won) AS won FROM who`,
      values: [
        hash(request.headers.authorization),
        request.params.id,
        kind,
        optionId ?? null,
        otherText ?? null,
        note ?? null,
      ],
    });
    if (!rows[0]) return reply.code(401).send({ error: "Unauthorized" });
    if (!rows[0].allowed) return reply.code(403).send({ error: "Forbidden" });
    if (rows[0].status === null) return reply.code(404).send({ error: "Not found" });
    return rows[0].won ? { ok: true } : reply.code(409).send({ error: "Already resolved" });
  },
);

await app.listen({ port: 0, host: "127.0.0.1" });
const address = app.server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
