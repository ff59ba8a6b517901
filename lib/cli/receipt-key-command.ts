import { publicKeys, rotateReceiptKey } from "@/lib/receipts/receipt-keys";
import { revokeReceiptKey } from "@/lib/receipts/revoke-receipt-key";
import { plural } from "@/lib/text/plural";
import { type Command, OperatorError } from "./command";
import { parseTime } from "./parse-time";

export const rotateReceiptsCommand: Command = {
  async run() {
    const { kid, former } = await rotateReceiptKey();
    const some = plural(former, { one: "# former key remains", other: "# former keys remain" });
    const kept =
      former === 0 ? "" : ` ${some} in /.well-known/jwks.json, so that programs can verify earlier receipts.`;
    return {
      json: { kid, former },
      text: `The service now signs receipts with the new key ${kid}.${kept}`,
    };
  },
};

export const revokeReceiptKeyCommand: Command = {
  async run(given, [kid = ""]) {
    const since = parseTime("since", given.one("since") ?? "");
    const revocation = await revokeReceiptKey(kid, since);
    if (!revocation.done) throw new OperatorError(await sentenceOf(kid, revocation));
    const { replacement } = revocation;
    const next = replacement ? ` The service now signs receipts with the new key ${replacement}.` : "";
    return {
      json: { kid, since: since.getTime(), ...(replacement && { replacement }) },
      text: `Revoked the key ${kid} since ${since.toISOString()}.${next}
Within minutes, verifiers reject all receipts signed with the revoked key, including receipts with an earlier time. Only verifiers that recorded when they got a receipt still accept receipts from before ${since.toISOString()}.
Apps and owners can get each receipt again, signed with the current key.`,
    };
  },
};

type Refusal = Exclude<Awaited<ReturnType<typeof revokeReceiptKey>>, { done: true }>;

/** The number of key IDs that the error for an unknown ID lists. */
const maxListed = 5;

async function sentenceOf(kid: string, refusal: Refusal): Promise<string> {
  if (refusal.problem === "future")
    return "--since is in the future. Set --since to the earliest time at which others may have had the key.";
  if (refusal.problem === "later")
    return `The key ${kid} is already revoked since ${refusal.since.toISOString()}. Set --since to an earlier time, because a later time would make rejected receipts valid again.`;
  const kids = (await publicKeys()).map((key) => key.kid);
  const more = kids.length > maxListed ? ` and ${kids.length - maxListed} more` : "";
  return `No receipt key has the ID ${kid}. The keys at /.well-known/jwks.json are ${kids.slice(0, maxListed).join(", ")}${more}.`;
}
