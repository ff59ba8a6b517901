import { type Executor, sql } from "@/lib/database/sql";

/**
 * Returns the deleted apps without an owner that an owner's live permissions name. They take the
 * place of other owners' apps that this service lacks.
 */
export const missingApps = (tx: Executor, ownerId: string) =>
  sql<{ clientId: string; name: string }>`
    SELECT app.id AS "clientId", app.name
    FROM app
    WHERE app.deleted_at IS NOT NULL
      AND app.id IN (SELECT app_id FROM live_grant WHERE owner_id = ${ownerId})
    ORDER BY app.name`.rows(tx);
