import { canonicalJson } from "@/lib/client/canonical-json";
import { askedAt, content, entryOf, keyOf, offeredAt, paid, statementOf, vector } from "./signing-devices";
import type { Vector } from "./vectors";

const ownWords = { otherText: "Pay half now,\nthe rest in June. 🙂" };

/** Returns valid signed answers. */
export const acceptedVectors = (): Vector[] => [
  vector("a signature with ES256"),
  vector("a signature with Ed25519", { signing: { by: "EdDSA" } }),
  vector("a signature with RS256", { signing: { by: "RS256" } }),
  vector("an option without values and note", { answer: { optionId: "keep" } }),
  vector("the owner's own words", { answer: ownWords }),
  vector("the owner's own words with a note", { answer: { ...ownWords, note: paid.note } }),
  vector("values in another order", {
    altered: { values: { amount: { amount: "86.40", currency: "EUR" }, rate: 5e-1 } },
  }),
  vector("an empty note and text", { answer: { optionId: "keep" }, altered: { note: "", otherText: "" } }),
  vector("null members", { answer: { optionId: "keep" }, altered: { note: null, otherText: null, values: null } }),
  vector("control characters", {
    answer: { optionId: "pay", values: { rate: 1e-7, text: "\u0000\b\u001f\u007f\u2028<" }, note: "\u0000" },
  }),
  vector("a batch", {
    statement: canonicalJson(
      statementOf([
        entryOf({ optionId: "yes" }, { approval: "apr_0" }),
        entryOf(paid),
        entryOf({ optionId: "keep" }, { approval: "apr_2" }),
      ]),
    ),
  }),
  vector("the content instead of its hash", { checks: { contentHash: null, content } }),
  vector("a synced passkey", { signing: { twist: { synced: true } } }),
  vector("a passkey that can be synced", { signing: { twist: { flags: 0x08 } } }),
  vector("authenticator data with extensions", {
    signing: { twist: { flags: 0x80, more: Buffer.from("a16178f5", "hex") } },
  }),
  vector("client data with further members", {
    signing: { twist: { client: { other: "member", crossOrigin: undefined } } },
  }),
  vector("client data with a repeated member, of which the last one counts", {
    signing: { twist: { clientText: (json) => json.replace("{", '{"origin":"https://evil.example",') } },
  }),
  vector("client data with a member in capitals", {
    signing: { twist: { client: { ORIGIN: "https://evil.example" } } },
    assertion: undefined,
  }),
  vector("another expected origin and RP ID", {
    signing: { rpId: "example.com", twist: { origin: "https://lens.example.com" } },
    checks: { rpId: "example.com", origins: ["https://yes.example.com", "https://lens.example.com"] },
  }),
  vector("an issuer with a port", {
    statement: { issuer: "http://localhost:3000" },
    signing: { rpId: "localhost", twist: { origin: "http://localhost:3000" } },
    checks: { issuer: "http://localhost:3000" },
  }),
  ...["https://YES.example.com", "https://yes.example.com:443"].map((issuer) =>
    vector(`the issuer ${issuer}`, { statement: { issuer }, checks: { issuer }, assertion: undefined }),
  ),
  vector("a passkey added when the question was asked", { checks: { keys: [keyOf("ES256", { since: askedAt })] } }),
  vector("a passkey removed after the answer", { checks: { keys: [keyOf("ES256", { until: offeredAt + 1 })] } }),
  vector("a new passkey, if new passkeys are accepted", {
    checks: { keys: [keyOf("ES256", { since: askedAt + 1 })], acceptNewKeys: true },
  }),
  vector("any passkey without askedAt, if new passkeys are accepted", {
    checks: { askedAt: null, acceptNewKeys: true },
  }),
  vector("an increased counter", { signing: { twist: { count: 8 } }, checks: { lastCounter: 7 } }),
  vector("a counter of 0", { signing: { twist: { count: 0 } }, checks: { lastCounter: 0 } }),
];
