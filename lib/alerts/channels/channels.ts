import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { env } from "@/lib/config/env";
import { epochMs, omitNulls, sql } from "@/lib/database/sql";
import { AppError, notFound } from "@/lib/errors";
import { change, changeByStatement } from "@/lib/events/change-transaction";
import { record } from "@/lib/events/record-events";
import { newHomedId, newId } from "@/lib/ids";
import { keyOf, type StoredKey } from "@/lib/keys/data-keys";
import { validate } from "@/lib/text/validate";
import { consumeTest, testWords } from "../devices";
import { lockAlertCursor } from "../lock-alert-cursor";
import { markFailed, markSent } from "./channel-health";
import {
  type ChannelKind,
  type ChannelMessage,
  ChannelName,
  type ChannelResult,
  type ChannelSummary,
  called,
  channelLabels,
} from "./channel-interface";
import { channelTypes } from "./channel-types";
import { openChannel, sealChannel } from "./credential-encryption";

/** The maximum number of channels per owner. */
const maxChannels = 10;

/**
 * Adds a channel for the owner's future alerts.
 * @param given the fields that the channel's type requires, and optionally a name for the channel
 * @throws {AppError} 400 naming the invalid field; 409 if the owner already has the maximum number
 *   of channels
 */
export async function addChannel(owner: OwnerActor, kind: ChannelKind, given: object): Promise<{ id: string }> {
  const kept = validate(channelTypes[kind].fields, given);
  const { name = channelLabels[kind] } = validate(z.object(called), given);
  const { service } = channelTypes[kind].open(kept);
  const { ownerId } = owner;
  const id = newHomedId("chn", owner);
  return change(owner, async (tx) => {
    await lockAlertCursor(tx, ownerId);
    if ((await tx.alertChannel.count({ where: { ownerId } })) >= maxChannels)
      throw new AppError(409, `You have ${maxChannels} alert channels, which is the limit. Remove a channel first.`);
    const { keyId, sealed } = await sealChannel(tx, { id, ownerId, kind }, kept);
    await sql`
      INSERT INTO alert_channel (id, owner_id, kind, name, service, key_id, sealed)
      VALUES (${id}, ${ownerId}, ${kind}, ${name}, ${service}, ${keyId}, ${sealed})`.run(tx);
    await record(tx, { ownerId, type: "channel.added", subject: id, data: { name } });
    return { id };
  });
}

/** Returns the owner's channels: failing ones first, and then the newest. */
export async function listChannels({ ownerId }: OwnerActor): Promise<ChannelSummary[]> {
  const channels = await sql<ChannelSummary>`
    SELECT id, kind, name, service, ${epochMs("created_at")} AS "createdAt",
      ${epochMs("last_delivered_at")} AS "toldAt",
      ${epochMs("failing_since")} AS "failingSince", problem
    FROM alert_channel
    WHERE owner_id = ${ownerId}
    ORDER BY failing_since IS NULL, id DESC`.rows();
  return channels.map(omitNulls);
}

/** @throws {AppError} 400, 404 */
export async function renameChannel(owner: OwnerActor, id: string, called: string): Promise<void> {
  const name = validate(ChannelName, called);
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const { count } = await tx.alertChannel.updateMany({ where: { id, ownerId }, data: { name } });
    if (count === 0) throw notFound();
    await record(tx, { ownerId, type: "channel.renamed", subject: id, data: { name } });
  });
}

/** Removes a channel and its credentials. @throws {AppError} 404 */
export async function removeChannel(owner: OwnerActor, id: string): Promise<void> {
  const { ownerId } = owner;
  await change(owner, async (tx) => {
    const gone = await sql<{ name: string }>`
      DELETE FROM alert_channel
      WHERE id = ${id} AND owner_id = ${ownerId}
      RETURNING name`.row(tx);
    if (!gone) throw notFound();
    await record(tx, { ownerId, type: "channel.removed", subject: id, data: { name: gone.name } });
  });
}

/**
 * Sends a test message immediately.
 * @throws {AppError} 404; 429 after ten tests in ten minutes; 502 with the reason if the test
 *   failed
 */
export async function testChannel(owner: OwnerActor, id: string): Promise<void> {
  const { ownerId } = owner;
  const row = await sql<{ kind: ChannelKind; sealed: Uint8Array; key: StoredKey }>`
    SELECT s.kind, s.sealed, ${keyOf} AS key
    FROM alert_channel s
    WHERE s.id = ${id} AND s.owner_id = ${ownerId}`.row();
  if (!row) throw notFound();
  await consumeTest("channel-test", ownerId);
  const result = await sendTest({ id, ownerId, kind: row.kind }, row);
  await changeByStatement(owner, result.how === "sent" ? markSent(id) : markFailed(id, result.problem));
  if (result.how === "sent") return;
  throw new AppError(502, `The test failed. ${result.problem}.`);
}

async function sendTest(...[channel, row]: Parameters<typeof openChannel>): Promise<ChannelResult> {
  const opened = openChannel(channel, row);
  if ("how" in opened) return opened;
  const test: ChannelMessage = {
    id: newId("tst"),
    about: "test",
    app: "Countersign",
    count: 0,
    ...testWords,
    link: `${env().publicUrl}/settings/alerts#channels`,
    urgent: false,
  };
  const result = await opened.show(test, { channel: channel.id, receipt: null });
  return result.how === "sent" && opened.check ? opened.check() : result;
}
