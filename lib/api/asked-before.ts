import type { AppActor } from "@/lib/actor";
import { canonicalJson } from "@/lib/client/canonical";
import { sha256 } from "@/lib/crypto";
import { act, identify } from "@/lib/grants/admission";
import { alone } from "@/lib/grants/alone";

/** Where these stand among the keys of idempotent operations. No operation has this id. */
const place = "askOwner";

type Asked = { id: string; before: boolean };

/**
 * Ask, unless the app has asked the same before and was never told the answer: then it is that one. An agent whose call was
 * cut off knows no id, and asks again; the owner is not asked twice. Once the answer was told (`toldAnswers`) the same words
 * are a new question, so that no yes that this door has told is used twice. A deadline does not make another question of it
 * until it has passed.
 * @param submit which asks
 */
export async function askUnlessAsked(
  app: AppActor,
  { expiresAt, ...ask }: Record<string, unknown>,
  submit: () => Promise<{ id: string }>,
): Promise<Asked> {
  const { ownerId, appId } = await identify(app);
  const hash = sha256(canonicalJson(ask));
  const key = hash.toString("base64url");
  return alone(app, `${place} ${ownerId} ${appId} ${key}`, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `UPDATE idempotency SET created_at = now() WHERE owner_id = $1 AND app_id = $2 AND operation = $3 AND key = $4
         AND (created_at > now() - interval '24 hours'
           OR EXISTS (SELECT FROM approval a WHERE a.id = reply::json ->> 'id' AND a.status = 'pending'))
         AND coalesce((reply::json ->> 'expiresAt')::float8 / 1000 > extract(epoch FROM now()), true)
       RETURNING reply::json ->> 'id' AS id`,
      [ownerId, appId, place, key],
    );
    if (rows[0]) return { id: rows[0].id, before: true };
    const { id } = await submit();
    const reply = JSON.stringify({ id, ...(typeof expiresAt === "number" && { expiresAt }) });
    await client.query(
      `INSERT INTO idempotency (owner_id, app_id, operation, key, request_hash, status, reply) VALUES ($1, $2, $3, $4, $5, 201, $6)
       ON CONFLICT (owner_id, app_id, operation, key) DO UPDATE SET reply = $6, created_at = now()`,
      [ownerId, appId, place, key, hash, reply],
    );
    return { id, before: false };
  });
}

/** The app was told the answers to these: asked again, they are new questions. */
export async function toldAnswers(app: AppActor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await act(app, {
    name: "told-answers",
    work: `told AS (
      DELETE FROM idempotency i USING caller c WHERE i.owner_id = c.owner_id AND i.app_id = c.app_id
        AND i.operation = '${place}' AND i.reply::json ->> 'id' = ANY ($3::text[])
    )`,
    values: [ids],
  });
}
