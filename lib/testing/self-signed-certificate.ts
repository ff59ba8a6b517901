import { generateKeyPairSync, sign } from "node:crypto";

type Certificate = { key: string; cert: string };
const hour = 3_600_000;

/**
 * Creates a self-signed certificate for these names, valid for an hour (X.509 v3, ECDSA P-256).
 * Only clients that are given the certificate trust it.
 */
export const aCertificate = (...names: string[]): Certificate => certify(names, -hour, hour);

/** Creates the same certificate, already expired. */
export const anExpiredCertificate = (...names: string[]): Certificate => certify(names, -2 * hour, -hour);

function certify(names: string[], from: number, until: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
  const name = sequence(der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from("Test")))));
  const alternatives = sequence(...names.map((each) => der(0x82, Buffer.from(each))));
  const extension = sequence(der(0x06, Buffer.from("551d11", "hex")), der(0x04, alternatives));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const text =
    sequence(body, algorithm, signature)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text.join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));

/** Returns a UTCTime, this many milliseconds from now. */
const time = (from: number) => {
  const digits = new Date(Date.now() + from).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
};
