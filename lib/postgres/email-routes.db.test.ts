import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { separateDatabase } from "@/lib/testing/separate-database";

let client: pg.Client;
let database: Awaited<ReturnType<typeof separateDatabase>>;
beforeAll(async () => {
  database = await separateDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "INSERT INTO owner (id, email, name, password_hash, first) VALUES ('own_1', 'one', '', '', true), ('own_2', 'two', '', '', NULL)",
  );
});
afterAll(async () => {
  await client.end();
  await database.end();
});

const routes = async () => (await client.query("SELECT email, owner_id, first FROM email_route ORDER BY email")).rows;
const one = { email: "one", owner_id: "own_1", first: true };

test("keeps the routes of emails", async () => {
  expect(await routes()).toEqual([one, { email: "two", owner_id: "own_2", first: null }]);
  await client.query("UPDATE owner SET email = 'new', name = 'x' WHERE id = 'own_2'");
  await client.query("INSERT INTO owner (id, email, name, password_hash) VALUES ('own_3', 'two', '', '')");
  expect(await routes()).toEqual([
    { email: "new", owner_id: "own_2", first: null },
    one,
    { email: "two", owner_id: "own_3", first: null },
  ]);
  await client.query("DELETE FROM owner WHERE id IN ('own_2', 'own_3')");
  expect(await routes()).toEqual([one]);
});

test("rejects the email and the first account of an owner in another database", async () => {
  await client.query("INSERT INTO email_route (email, owner_id) VALUES ('far', 'own_9')");
  const insert = (email: string) =>
    client.query("INSERT INTO owner (id, email, name, password_hash) VALUES ('own_4', $1, '', '')", [email]);
  await expect(insert("far")).rejects.toMatchObject({ code: "23505" });
  await expect(client.query("UPDATE owner SET email = 'far' WHERE id = 'own_1'")).rejects.toMatchObject({
    code: "23505",
  });
  await client.query("DELETE FROM email_route WHERE email = 'far'");
});

/** Returns an owner's ID with a home. */
const ownerIn = (home: string) => `own_0000000000${home}${"0".repeat(20)}`;

test("leaves the routes of owners in another database to the service", async () => {
  await client.query(`INSERT INTO shard (name, number) VALUES ('two', 1);
    INSERT INTO home_placement (home, shard) VALUES (${32 * 31 + 5}, 'two')`);
  const [elsewhere, here] = [ownerIn("v5"), ownerIn("v4")];
  await client.query(
    "INSERT INTO owner (id, email, name, password_hash) VALUES ($1, 'far', '', ''), ($2, 'near', '', '')",
    [elsewhere, here],
  );
  expect(await routes()).toEqual([{ email: "near", owner_id: here, first: null }, one]);
  await client.query("INSERT INTO email_route (email, owner_id) VALUES ('far', $1)", [elsewhere]);
  await client.query("DELETE FROM owner WHERE id IN ($1, $2)", [elsewhere, here]);
  expect(await routes()).toEqual([{ email: "far", owner_id: elsewhere, first: null }, one]);
});

test.each([
  ["app", "(id, owner_id, name, name_skeleton, redirect_uris) VALUES ('app_' || $1, $1, '', '', '{}')"],
  ["passkey_challenge", "(hash, owner_id, purpose, expires_at) VALUES ($1::text::bytea, $1, 'sign_in', now())"],
])("requires the owner of a row in %s, except in another database", async (table, values) => {
  const insert = (ownerId: string) => client.query(`INSERT INTO ${table} ${values}`, [ownerId]);
  await insert("own_1");
  await insert(ownerIn("v5"));
  await expect(insert(ownerIn("v4"))).rejects.toMatchObject({ code: "23503" });
});
