import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db, inTransaction } from "@/lib/database/db";
import { sql } from "@/lib/database/sql";
import { change } from "@/lib/events/change-transaction";
import { newOwnerId } from "@/lib/ids";
import { anOwner } from "@/lib/testing/factories";
import { guardProduct } from "@/lib/testing/guard-statements";
import { type Home, homeCount, homeOf } from "./homes";
import { inHomeOf, inService } from "./marks";
import { guardStatements } from "./shard-map";

const missing = /names no owner.*(FROM approval|approval\.count)/;
const other = /another home/;
const all = sql`SELECT FROM approval`;
const of = (...owners: string[]) => sql`SELECT FROM approval WHERE owner_id = ANY (${owners})`;

test("accepts every statement that a test sends itself", async () => {
  expect(await all.rows()).toEqual([]);
  expect(await db.approval.count()).toBe(0);
  expect(await of(newOwnerId(1 as Home), newOwnerId(2 as Home)).rows()).toEqual([]);
  expect(await db.$transaction((tx) => all.rows(tx))).toEqual([]);
});

describe("statements of the product", () => {
  let owner: Awaited<ReturnType<typeof anOwner>>;
  beforeEach(async () => {
    owner = await anOwner();
    guardStatements({ exempts: () => false });
  });
  afterEach(guardProduct);

  test("are rejected without a destination", async () => {
    await expect(all.rows()).rejects.toThrow(missing);
    await expect(async () => db.approval.count()).rejects.toThrow(missing);
    await expect(inTransaction(async () => {})).rejects.toThrow(/names no owner/);
    await expect(db.$transaction((tx) => all.rows(tx))).rejects.toThrow(missing);
    await expect(db.$transaction((tx) => tx.approval.count())).rejects.toThrow(missing);
  });

  test("are accepted with an owner among their values", async () => {
    const { ownerId } = owner;
    expect(await of(ownerId).rows()).toEqual([]);
    expect(await db.approval.count({ where: { ownerId } })).toBe(0);
    const counted = await db.$transaction(async (tx) => [await of(ownerId).rows(tx), await tx.approval.count()]);
    expect(counted).toEqual([[], 0]);
  });

  test("are accepted in marked work and in an owner's change", async () => {
    expect(await inService(() => all.rows())).toEqual([]);
    expect(await inService(() => inTransaction((client) => all.rows(client)))).toEqual([]);
    expect(await inHomeOf(owner.ownerId, () => db.approval.count())).toBe(0);
    expect(await change(owner, (tx) => all.rows(tx))).toEqual([]);
  });

  test("are rejected if they name owners with different homes", async () => {
    const stranger = newOwnerId(((homeOf(owner.ownerId) + 1) % homeCount) as Home);
    await expect(of(owner.ownerId, stranger).rows()).rejects.toThrow(other);
    await expect(change(owner, (tx) => of(stranger).rows(tx))).rejects.toThrow(other);
    await expect(inHomeOf(owner.ownerId, () => of(stranger).rows())).rejects.toThrow(other);
  });
});
