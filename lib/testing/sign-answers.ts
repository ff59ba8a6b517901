import type { OwnerActor } from "@/lib/actor";
import type { SeenQuestion } from "@/lib/approvals/answer";
import { readApproval } from "@/lib/approvals/inbox-queries";
import type { Answer } from "@/lib/approvals/schema";
import type { SentSignature } from "@/lib/approvals/sign/check-signature";
import { offerSignature } from "@/lib/approvals/sign/offer-signature";
import type { SigningRequest } from "@/lib/approvals/sign/schema";
import { canonicalJson } from "@/lib/client/canonical-json";
import { addPasskey, beginPasskey } from "@/lib/owners/passkeys/passkeys";
import { anAuthenticator, type Twist } from "./passkey-authenticator";

export type Device = ReturnType<typeof anAuthenticator>;

/** Adds a passkey on a simulated device to the owner's account. */
export async function aPasskeyFor(owner: OwnerActor, name = "Phone", twist: Twist = {}): Promise<Device> {
  const device = anAuthenticator();
  await addPasskey(owner, { name, response: device.create(await beginPasskey(owner), twist) });
  return device;
}

/** Returns the questions with the hashes that the owner's page shows. */
export const seenBy = (owner: OwnerActor, ids: string[]): Promise<SeenQuestion[]> =>
  Promise.all(ids.map(async (id) => ({ id, seen: (await readApproval(owner, id)).contentHash })));

/** Signs an answer to these questions as the owner's page does: asks for the offer, and signs it. */
export async function signed(
  owner: OwnerActor,
  device: Device,
  ids: string[],
  answer: Answer,
  twist: Twist = {},
): Promise<SentSignature> {
  const { request, options } = await offerSignature(owner, await seenBy(owner, ids), answer);
  const { statement } = JSON.parse(request) as SigningRequest;
  return { statement: canonicalJson(statement), response: JSON.parse(device.get(options, twist)) };
}
