import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };
/** How the simulated device deviates from an honest one. */
type Twist = { origin?: string; rpId?: string; verified?: boolean; count?: number };

/**
 * Creates a simulated device with one passkey (WebAuthn level 3). It uses ES256, no attestation,
 * and a counter that increases by one.
 */
export function anAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const key = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  let count = 0;
  let user = "";

  const clientData = (type: string, challenge: string, { origin = "http://localhost:3000" }: Twist) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (rpId: string, flags: number, { verified = true, ...twist }: Twist) => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE((count = twist.count ?? count + 1));
    return Buffer.concat([sha256(twist.rpId ?? rpId), Buffer.from([flags | 1 | (verified ? 4 : 0)]), counted]);
  };
  const common = { id: base64(id), rawId: base64(id), type: "public-key", clientExtensionResults: {} };

  return {
    id: base64(id),
    publicKey,
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
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
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
