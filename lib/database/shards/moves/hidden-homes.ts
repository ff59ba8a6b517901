import type pg from "pg";
import { retryOnConflict } from "../../retry-conflict";
import { inClientTransaction } from "../../transaction";
import { type Home, homeText } from "../homes";
import { hidingSchema } from "./hiding-schema";
import type { MoveNote } from "./move";
import { type MovedTable, movedTables } from "./owner-tables";

/*
 * During a move, both shards have the moved owners' rows: the new shard has copies that it must not
 * use yet, and the former shard has rows that are about to be deleted. Background work selects rows
 * of any owner, so it would send alerts and webhooks twice. Therefore, the schema `placed_homes`
 * precedes `public` in the search path of every connection of the service. The schema exists only
 * during a move. For each table of owners, it has a view without the hidden homes.
 *
 * The views also reject late writes for a moved home (WITH CHECK OPTION), from an instance that
 * does not know the new placement. `event` has no view, because functions of the event log lock and
 * compare the table itself. Events are safe without a view: see ./event-order.ts.
 */

/** The schema of views that are ready, but not in use. */
const preparedSchema = `${hidingSchema}_prepared`;

const isHidden = ({ name }: MovedTable) => name !== "event";

/**
 * Creates functions that accept a view's row, for the functions that accept a table's row. A
 * statement passes the row of the view while there is one.
 */
const functionsOfRows = `DO $$ DECLARE it record; BEGIN
  FOR it IN
    SELECT p.proname, c.relname, pg_get_function_result(p.oid) AS result,
      (
        SELECT string_agg(format('($1).%I', a.attname), ', ' ORDER BY a.attnum)
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      ) AS columns,
      (
        SELECT coalesce(string_agg(', ' || format_type(u.type, NULL), '' ORDER BY u.n), '')
        FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS u(type, n)
        WHERE u.n > 1
      ) AS types,
      (
        SELECT coalesce(string_agg(', $' || n, '' ORDER BY n), '')
        FROM generate_series(2, p.pronargs) AS n
      ) AS others
    FROM pg_proc p
      JOIN pg_type t ON t.oid = p.proargtypes[0]
      JOIN pg_class c ON c.oid = t.typrelid
    WHERE p.pronamespace = 'public'::regnamespace
      AND to_regclass(format('${preparedSchema}.%I', c.relname)) IS NOT NULL
  LOOP
    EXECUTE format(
      'CREATE FUNCTION ${preparedSchema}.%1$I(${preparedSchema}.%2$I%3$s) RETURNS %4$s LANGUAGE sql STABLE AS %5$L',
      it.proname, it.relname, it.types, it.result,
      format('SELECT public.%1$I(ROW(%2$s)::public.%3$I%4$s)', it.proname, it.columns, it.relname, it.others)
    );
  END LOOP;
END $$`;

/** Creates the views in another schema, where they have no effect until `hideHomes`. */
export async function prepareHiding(client: pg.ClientBase, hidden: readonly Home[], note: MoveNote): Promise<void> {
  const tables = (await movedTables(client)).filter(isHidden);
  const texts = hidden.map(homeText).join(",");
  // The column ctid is for statements that delete rows in batches.
  const views = tables.map(
    ({ name, owner }) =>
      `CREATE VIEW ${preparedSchema}."${name}" AS SELECT *, ctid FROM public."${name}"
       WHERE substr(${owner}, 15, 2) <> ALL ('{${texts}}'::text[]) OR ${owner} IS NULL WITH CHECK OPTION`,
  );
  const grants = `DO $$ DECLARE role regrole; BEGIN
    FOR role IN SELECT DISTINCT a.grantee::regrole
      FROM pg_class c, aclexplode(c.relacl) a
      WHERE c.oid = 'public.owner'::regclass AND a.grantee <> 0 AND a.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT USAGE ON SCHEMA ${preparedSchema} TO %s', role);
      EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${preparedSchema} TO %s', role);
    END LOOP;
  END $$`;
  await inClientTransaction(client, async () => {
    await client.query(`DROP SCHEMA IF EXISTS ${preparedSchema} CASCADE; CREATE SCHEMA ${preparedSchema}`);
    for (const view of views) await client.query(view);
    await client.query(functionsOfRows);
    await client.query(grants);
    await client.query(`COMMENT ON SCHEMA ${preparedSchema} IS '${JSON.stringify(note)}'`);
  });
}

/** Hides the homes for which `prepareHiding` ran, in one quick step. Replaces other hidden homes. */
export const hideHomes = (client: pg.ClientBase): Promise<unknown> =>
  changeViews(
    client,
    `DROP SCHEMA IF EXISTS ${hidingSchema} CASCADE;
     ALTER SCHEMA ${preparedSchema} RENAME TO ${hidingSchema}`,
  );

/** Shows all homes again. Has no effect if none are hidden. */
export const showHomes = (client: pg.ClientBase): Promise<unknown> =>
  changeViews(
    client,
    `DROP SCHEMA IF EXISTS ${hidingSchema} CASCADE;
     DROP SCHEMA IF EXISTS ${preparedSchema} CASCADE`,
  );

/** How often views are changed again after a deadlock. */
const maxRetries = 20;

/** Changes the views. A transaction of the service can lock the same views in another order. */
const changeViews = (client: pg.ClientBase, statements: string) =>
  retryOnConflict(() => inClientTransaction(client, () => client.query(statements)), maxRetries);

/** Returns whether `hideHomes` can run. */
export const isHidingPrepared = async (client: pg.ClientBase): Promise<boolean> =>
  (await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [preparedSchema])).rowCount === 1;

/** Returns the unfinished move because of which a shard hides homes, or is about to. */
export async function readMoveNote(client: pg.ClientBase): Promise<MoveNote | undefined> {
  const { rows } = await client.query<{ note: string | null }>(
    `SELECT obj_description(oid, 'pg_namespace') AS note FROM pg_namespace
     WHERE nspname IN ($1, $2) ORDER BY nspname = $2 DESC`,
    [hidingSchema, preparedSchema],
  );
  return rows[0]?.note ? (JSON.parse(rows[0].note) as MoveNote) : undefined;
}
