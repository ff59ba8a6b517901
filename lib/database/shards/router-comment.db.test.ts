import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, db, disconnect, inTransaction } from "@/lib/database/db";
import { runLongStatement } from "@/lib/database/long-statement";
import { sql } from "@/lib/database/sql";
import { inService } from "./marks";
import { setShards } from "./shard-map";

const comment = "/* __spqr__execute_on: sh1 */ ";
const sent = sql<{ text: string }>`SELECT current_query() AS text`;

beforeAll(async () => {
  await disconnect();
  setShards([{ name: "sh1", homes: [0, 1023], router: "spqr" }]);
});
afterAll(async () => {
  await disconnect();
  setShards();
});

test("sends the comment with statements, transactions and Prisma's statements", async () => {
  const texts = await inService(async () => [
    (await sent.row())?.text,
    (await runLongStatement(sent)).rows[0]?.text,
    (await inTransaction((client) => sent.row(client)))?.text,
    (await db.$queryRawUnsafe<{ text: string }[]>("SELECT current_query() AS text"))[0]?.text,
    (await db.$transaction((tx) => sent.row(tx)))?.text,
  ]);
  expect(texts).toEqual(Array.from({ length: 5 }, () => `${comment}SELECT current_query() AS text`));
});

test("keeps one prepared statement for each text", async () => {
  const client = await connect(0);
  try {
    for (let time = 0; time < 3; time++) expect((await sent.row(client))?.text).toContain(comment);
    const prepared = sql<{ name: string }>`
      SELECT name FROM pg_prepared_statements WHERE statement LIKE '%current_query() AS text%'`;
    expect(await prepared.rows(client)).toHaveLength(2);
  } finally {
    client.release();
  }
});
