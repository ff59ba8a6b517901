import { isIP } from "node:net";
import { inHomeOf } from "@/lib/database/shards/marks";
import { AppError } from "@/lib/errors";
import { allowsPrivate, hostOf } from "@/lib/net/guarded-fetch";
import { isPublicAddress } from "@/lib/net/public-address";
import { awaitAttempt, sendTest } from "@/lib/webhooks/deliveries";
import { deliverNow } from "@/lib/webhooks/delivery-worker";
import { addEndpoint, listEndpoints, managerOf, removeEndpoint, rotateEndpointSecret } from "@/lib/webhooks/endpoints";
import type { NewEndpoint } from "@/lib/webhooks/schema";
import { type Command, OperatorError, table, unlessFound } from "./command";
import { describeError } from "./describe-error.mjs";
import { listedOf, ownerNamed } from "./owner-commands";

type Types = NonNullable<NewEndpoint["types"]>;

export const addWebhookCommand: Command = {
  async run(given) {
    const url = given.one("url") as string;
    const owner = await ownerNamed(given.one("owner"));
    const made = await addEndpoint(owner, given.one("app") as string, {
      url,
      types: given.all("type") as Types,
      description: given.one("description") ?? "",
    })
      .catch(unlessFound(`${owner.email} has no app with this client ID. To find the client ID, run "app list".`))
      .catch(unlessNear(url));
    return { json: made, text: `webhook  ${made.id}\nsigning secret (shown only once)  ${made.secret}` };
  },
};

export const listWebhooksCommand: Command = {
  async run(given) {
    const webhooks = await listedOf(given, listEndpoints);
    return {
      json: { webhooks },
      text: table(webhooks.map(({ id, url, state, clientId, owner }) => [id, state, url, clientId, owner])),
    };
  },
};

export const rotateWebhookCommand: Command = {
  async run(_given, [id = ""]) {
    const { secret } = await rotateEndpointSecret(await manager(id), id);
    return {
      json: { secret },
      text: `signing secret (shown only once)  ${secret}\nFor 24 hours, the service also signs events with the previous secret.`,
    };
  },
};

export const removeWebhookCommand: Command = {
  async run(_given, [id = ""]) {
    await removeEndpoint(await manager(id), id);
    return { json: { removed: true }, text: "Webhook removed. The endpoint receives no more events." };
  },
};

export const testWebhookCommand: Command = {
  async run(_given, [id = ""]) {
    const owner = await manager(id);
    const test = await sendTest(owner, id);
    // Another running instance may deliver the event first. The statements of senders name no owner.
    await inHomeOf(owner.ownerId, () => deliverNow(test.id));
    const { state, event, latest } = await awaitAttempt(owner, test.id);
    if (state !== "delivered")
      throw new OperatorError(
        `Could not deliver the test event. ${latest?.problem ?? 'Check the webhook\'s status with "webhook list", then try again'}.`,
      );
    return {
      json: { event, status: latest?.status, ms: latest?.ms },
      text: `The endpoint accepted the test event with status ${latest?.status} after ${latest?.ms} ms.`,
    };
  },
};

/**
 * Returns a handler for a rejected address. For an address on this computer or network, it names
 * the setting that allows the address, because a developer's receiver may run there. Rethrows other
 * errors.
 */
const unlessNear = (url: string) => (error: unknown) => {
  const there = error instanceof AppError && error.status === 400 && URL.canParse(url) ? new URL(url) : undefined;
  const host = there && hostOf(there);
  if (!host || allowsPrivate(there) || (isIP(host) ? isPublicAddress(host) : host.includes("."))) throw error;
  throw new OperatorError(
    `${describeError(error)} In development, set ALLOW_PRIVATE_FETCH=${there.origin} for this command and for the service.`,
  );
};

const manager = (id: string) =>
  managerOf(id).catch(unlessFound('No webhook has this ID. Find the ID with "webhook list".'));
