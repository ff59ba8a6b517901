import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };
/**
 * How the simulated device deviates from an honest one with a device-bound passkey. `synced`: the
 * passkey can be synced to other devices. `present`: the owner touched the device.
 */
export type Twist = {
  origin?: string;
  rpId?: string;
  verified?: boolean;
  count?: number;
  synced?: boolean;
  present?: boolean;
  crossOrigin?: boolean;
  /** Further flags and bytes of the authenticator data. */
  flags?: number;
  more?: Buffer;
  /** Members of the client data to replace. */
  client?: Record<string, unknown>;
  /** Returns other client data instead of this JSON. */
  clientText?: (json: string) => string | Buffer;
};
export type PasskeyAlgorithm = "ES256" | "EdDSA" | "RS256";

/**
 * Creates a simulated device with one passkey (WebAuthn level 3). It uses no attestation, and a
 * counter that increases by one.
 */
export function anAuthenticator(algorithm: PasskeyAlgorithm = "ES256") {
  const { publicKey, privateKey } = keyPairs[algorithm]();
  const id = randomBytes(16);
  const key = cborMap(coseKeys[algorithm](publicKey.export({ format: "jwk" })));
  let count = 0;
  let user = "";

  const clientData = (type: string, challenge: string, twist: Twist) => {
    const { origin = "http://localhost:3000", crossOrigin = false } = twist;
    const json = JSON.stringify({ type, challenge, origin, crossOrigin, ...twist.client });
    return Buffer.from(twist.clientText?.(json) ?? json);
  };
  const authData = (rpId: string, flags: number, twist: Twist) => {
    const { verified = true, present = true, synced = false, more = Buffer.alloc(0) } = twist;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE((count = twist.count ?? count + 1));
    const honest = flags | (present ? 1 : 0) | (verified ? 4 : 0) | (synced ? 0x18 : 0);
    const set = Buffer.from([honest | (twist.flags ?? 0)]);
    return Buffer.concat([sha256(twist.rpId ?? rpId), set, counted, more]);
  };
  const common = { id: base64(id), rawId: base64(id), type: "public-key", clientExtensionResults: {} };

  return {
    id: base64(id),
    publicKey,
    /** The public key in COSE, as base64url. */
    cose: base64(key),
    /** Creates the passkey. @returns the result of navigator.credentials.create(), as JSON */
    create(options: Options, twist: Twist = {}): string {
      user = options.user?.id ?? "";
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = Buffer.concat([authData(options.rp?.id ?? "", 0x40, twist), credential]);
      const attestation = cborMap([
        ["fmt", "none"],
        ["attStmt", new Map<never, never>()],
        ["authData", data],
      ]);
      const clientDataJSON = base64(clientData("webauthn.create", options.challenge, twist));
      const response = { clientDataJSON, attestationObject: base64(attestation), transports: ["internal"] };
      return JSON.stringify({ ...common, response });
    },
    /** Signs a challenge. @returns the result of navigator.credentials.get(), as JSON */
    get(options: Options, twist: Twist = {}): string {
      const client = clientData("webauthn.get", options.challenge, twist);
      const data = authData(options.rpId ?? "", 0, twist);
      const hash = algorithm === "EdDSA" ? null : "sha256";
      const signature = sign(hash, Buffer.concat([data, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: base64(client),
        authenticatorData: base64(data),
        signature: base64(signature),
        userHandle: user,
      };
      return JSON.stringify({ ...common, response });
    },
  };
}

const keyPairs = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

const part = (text = "") => Buffer.from(text, "base64url");

/** The COSE members of a public key (RFC 9053 and RFC 8230). */
const coseKeys: Record<PasskeyAlgorithm, (jwk: JsonWebKey) => [number, Cbor][]> = {
  ES256: ({ x, y }) => [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, part(x)],
    [-3, part(y)],
  ],
  EdDSA: ({ x }) => [
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, part(x)],
  ],
  RS256: ({ n, e }) => [
    [1, 3],
    [3, -257],
    [-1, part(n)],
    [-2, part(e)],
  ],
};

const base64 = (bytes: Buffer) => bytes.toString("base64url");
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

type Cbor = number | string | Buffer | Map<unknown, unknown>;

/** Encodes a map in CBOR (RFC 8949), as attestations and public keys require. */
function cborMap(entries: [Cbor, Cbor][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(cbor)]);
}
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  return Buffer.isBuffer(value) ? Buffer.concat([head(2, value.length), value]) : cborMap([]);
}
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  return length < 256
    ? Buffer.from([(major << 5) | 24, length])
    : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
