import { canonicalJson } from "@/lib/client/canonical-json";
import type { PasskeyAlgorithm } from "../passkey-authenticator";
import {
  askedAt,
  devices,
  entryOf,
  jwkOf,
  keyOf,
  offeredAt,
  paid,
  signatureOf,
  statementOf,
  vector,
} from "./signing-devices";
import type { Vector } from "./vectors";

/** `varies`: whether the assertion itself is valid differs between WebAuthn libraries. */
const refused = (why: string, assertion: boolean | "varies" = false) => ({
  refused: why,
  assertion: assertion === "varies" ? undefined : assertion,
});
const invalid = refused("the passkey's signature is invalid");
const signed = canonicalJson(statementOf([entryOf(paid)]));
const replayed = canonicalJson(statementOf([entryOf(paid, { approval: "apr_2" })]));

const clientData = (): Vector[] => {
  const challenge = refused("the client data's challenge is not the hash of the statement");
  const origin = refused("the client data's origin is not an expected origin");
  const raw = (text: string) => ({ alteredSignature: { clientDataJSON: Buffer.from(text).toString("base64url") } });
  return [
    vector("a replayed assertion of another approval", { signing: { challenged: replayed }, ...challenge }),
    vector("a challenge that is the statement", {
      signing: { twist: { client: { challenge: Buffer.from(signed).toString("base64url") } } },
      ...challenge,
    }),
    vector("no challenge", { signing: { twist: { client: { challenge: undefined } } }, ...challenge }),
    vector("the registration of a passkey", {
      signing: { twist: { client: { type: "webauthn.create" } } },
      ...refused("the client data's type is not webauthn.get"),
    }),
    ...["https://evil.example", "https://yes.example.com.evil.example", "http://yes.example.com"].map((page) =>
      vector(`the origin ${page}`, { signing: { twist: { origin: page } }, ...origin }),
    ),
    vector("an origin with a path", {
      signing: { twist: { origin: "https://yes.example.com/" } },
      ...refused(origin.refused, "varies"),
    }),
    vector("no origin", { signing: { twist: { client: { origin: undefined } } }, ...origin }),
    vector("an origin that is not expected", { checks: { origins: ["https://lens.example.com"] }, ...origin }),
    vector("a frame of another origin", {
      signing: { twist: { crossOrigin: true, client: { topOrigin: "https://evil.example" } } },
      ...refused("the passkey signed in a frame of another origin", "varies"),
    }),
    vector("client data that is not JSON", { ...raw("webauthn.get"), ...refused("the client data is not JSON") }),
    ...["null", "[]", '"webauthn.get"'].map((text) =>
      vector(`client data that is ${text}`, { ...raw(text), ...refused("the client data is not JSON") }),
    ),
    ...Object.entries({
      "a byte that is not UTF-8": (json: string) =>
        Buffer.concat([Buffer.from(`{"other":"`), Buffer.from([0xff]), Buffer.from(`",${json.slice(1)}`)]),
      "an encoded surrogate": (json: string) =>
        Buffer.concat([Buffer.from(`{"other":"`), Buffer.from("eda080", "hex"), Buffer.from(`",${json.slice(1)}`)]),
      NaN: (json: string) => json.replace("{", '{"other":NaN,'),
      "a byte order mark": (json: string) => `\ufeff${json}`,
      "text at the end": (json: string) => `${json}{}`,
    }).map(([what, clientText]) =>
      vector(`client data with ${what}`, {
        signing: { twist: { clientText } },
        ...refused("the client data is not JSON", "varies"),
      }),
    ),
    vector("an origin only in capitals", {
      signing: { twist: { clientText: (json) => json.replace('"origin"', '"ORIGIN"') } },
      ...refused(origin.refused, "varies"),
    }),
    vector("null as the frame's origin", {
      signing: { twist: { client: { crossOrigin: null } } },
      ...refused("the passkey signed in a frame of another origin", "varies"),
    }),
  ];
};

const authenticatorData = (): Vector[] => {
  const malformed = refused("the authenticator data is malformed");
  const cut = (length: number) => ({
    alteredSignature: { authenticatorData: signatureOf(signed).authenticatorData.slice(0, length) },
  });
  return [
    vector("another RP ID", {
      signing: { rpId: "evil.example" },
      ...refused("the authenticator data is for another RP ID"),
    }),
    vector("an RP ID that is not expected", {
      checks: { rpId: "example.com" },
      ...refused("the authenticator data is for another RP ID"),
    }),
    vector("an owner who was not present", {
      signing: { twist: { present: false } },
      ...refused("the passkey did not check that the owner was present"),
    }),
    vector("an owner who was not verified", {
      signing: { twist: { verified: false } },
      ...refused("the passkey did not verify the owner"),
    }),
    vector("a synced passkey that can't be synced", {
      signing: { twist: { flags: 0x10 } },
      ...malformed,
      assertion: undefined,
    }),
    vector("short authenticator data", { ...cut(48), ...malformed }),
    vector("no authenticator data", { ...cut(0), ...malformed }),
    vector("longer authenticator data", { signing: { twist: { more: Buffer.from([1]) } }, ...malformed }),
    vector("no data after the flag for extensions", { signing: { twist: { flags: 0x80 } }, ...malformed }),
  ];
};

const keys = (): Vector[] => {
  const unknown = refused("the passkey is not one of the owner's keys", "varies");
  const removed = refused("the passkey was removed before the answer", true);
  const key = (more: object) => ({ checks: { keys: [keyOf("ES256", more)] } });
  const jwk = jwkOf("ES256");
  return [
    vector("an unknown passkey", { checks: { keys: [keyOf("EdDSA")] }, ...unknown }),
    vector("no keys", { checks: { keys: [] }, ...unknown }),
    vector("another credential ID", { alteredSignature: { credentialId: "AAAA" }, ...unknown }),
    vector("a passkey added after the question", {
      ...key({ since: askedAt + 1 }),
      ...refused("the passkey was added after the question was asked", true),
    }),
    vector("a passkey removed before the answer", { ...key({ until: offeredAt - 1 }), ...removed }),
    vector("a passkey removed at the time of the answer", { ...key({ until: offeredAt }), ...removed }),
    vector("an answer with an earlier time by a removed passkey", {
      ...key({ until: askedAt - 5000 }),
      statement: { offeredAt: askedAt - 10_000 },
      ...removed,
    }),
    vector("a key of an unsupported type", {
      ...key({ publicKey: { ...jwk, crv: "P-384" } }),
      ...refused("the passkey's public key has an unsupported type", "varies"),
    }),
    vector("a key that is not on the curve", {
      ...key({ publicKey: { ...jwk, x: jwk.y as string } }),
      ...refused("the passkey's public key is invalid", "varies"),
    }),
  ];
};

/** Sets a bit of the last digit that encodes no byte. */
const withUnusedBits = (base64url: string) =>
  base64url.slice(0, -1) + String.fromCharCode(base64url.charCodeAt(base64url.length - 1) + 1);

const signatures = (): Vector[] => {
  const aSignature = () => Buffer.from(signatureOf(signed).signature, "base64url");
  let made = aSignature();
  // One in two signatures has a first number that begins with a zero byte.
  while (made[3] !== 33) made = aSignature();
  const length = made[3] ?? 0;
  const [r, s] = [made.subarray(4, 4 + length), made.subarray(6 + length)];
  const der = (...parts: Buffer[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([0x30, body.length]), body]);
  };
  const integer = (bytes: Buffer) => Buffer.concat([Buffer.from([2, bytes.length]), bytes]);
  const plain = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32), bytes]).subarray(-32);
  const encodings = {
    "raw instead of DER": Buffer.concat([plain(r), plain(s)]),
    "with a byte at the end": Buffer.concat([made, Buffer.from([0])]),
    "with a byte inside the sequence": der(integer(r), integer(s), Buffer.from([0])),
    "with a redundant zero": der(integer(Buffer.concat([Buffer.alloc(1), r])), integer(s)),
    "with a negative integer": der(integer(r.subarray(1)), integer(s)),
    "with only one integer": der(integer(r)),
    "with the numbers 0": der(integer(Buffer.alloc(1)), integer(Buffer.alloc(1))),
    "with a long form of the length": Buffer.concat([Buffer.from([0x30, 0x81]), made.subarray(1)]),
    "of 0 bytes": Buffer.alloc(0),
  };
  const others: PasskeyAlgorithm[] = ["ES256", "EdDSA", "RS256"];
  return [
    ...Object.entries(encodings).map(([what, bytes]) =>
      vector(`an ES256 signature ${what}`, {
        alteredSignature: { ...signatureOf(signed), signature: bytes.toString("base64url") },
        ...invalid,
      }),
    ),
    ...others.flatMap((by) =>
      others
        .filter((each) => each !== by)
        .map((each) =>
          vector(`a signature with ${each} for a key with ${by}`, {
            signing: { by: each },
            alteredSignature: { credentialId: devices[by].id },
            ...invalid,
          }),
        ),
    ),
    ...others.map((by) =>
      vector(`a signature of other data with ${by}`, {
        signing: { by },
        alteredSignature: { signature: signatureOf(replayed, { by }).signature },
        ...invalid,
      }),
    ),
    vector("a signature with padding", {
      alteredSignature: { authenticatorData: `${signatureOf(signed).authenticatorData}==` },
      ...refused("the answer's signature is malformed", "varies"),
    }),
    vector("a signature with unused bits", {
      alteredSignature: { authenticatorData: withUnusedBits(signatureOf(signed).authenticatorData) },
      ...refused("the answer's signature is malformed", "varies"),
    }),
    vector("a signature in base64 instead of base64url", {
      alteredSignature: { authenticatorData: `${signatureOf(signed).authenticatorData.slice(0, -1)}+` },
      ...refused("the answer's signature is malformed", "varies"),
    }),
    vector("a signature with a line break", {
      alteredSignature: { clientDataJSON: `${signatureOf(signed).clientDataJSON}\n` },
      ...refused("the answer's signature is malformed", "varies"),
    }),
    vector("a signature without authenticator data", {
      alteredSignature: { authenticatorData: undefined },
      ...refused("malformed", "varies"),
    }),
    ...[
      [7, 7],
      [7, 6],
      [7, 0],
      [2 ** 31, 1],
    ].map(([lastCounter, count]) =>
      vector(`the counter ${count} after ${lastCounter}`, {
        signing: { twist: { count } },
        checks: { lastCounter },
        ...refused("the passkey's counter did not increase, so a copy of the passkey may have signed"),
      }),
    ),
  ];
};

/** Returns answers with assertions or keys that a verifier must reject. */
export const refusedAssertions = (): Vector[] => [...clientData(), ...authenticatorData(), ...keys(), ...signatures()];
