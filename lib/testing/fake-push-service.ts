import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as a browser received it, with the headers sent to the push service. */
export type Pushed = { to: string; message: Record<string, unknown>; bytes: number; headers: IncomingHttpHeaders };
/** A reply. It is sent after `after` resolves. */
type Reply = { status?: number; headers?: OutgoingHttpHeaders; after?: Promise<unknown> };

/**
 * Starts a local push service (RFC 8030) whose browsers decrypt their messages (RFC 8291). Messages
 * must be signed with the key of the browser's subscription (RFC 8292). The service's origin must
 * be in ALLOW_PRIVATE_FETCH.
 */
export async function aPushService(port = 0) {
  const pushed: Pushed[] = [];
  const browsers = new Map<string, Browser>();
  const problems: string[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const browser = browsers.get(req.url ?? "");
    const { status = 201, headers = {}, after } = browser?.replies.shift() ?? browser?.reply ?? { status: 404 };
    await after;
    if (browser && status < 300)
      try {
        checkVapid(req.headers, origin);
        const message = JSON.parse(browser.decrypt(body));
        pushed.push({ to: browser.name, message, bytes: body.length, headers: req.headers });
      } catch (error) {
        problems.push(String(error));
        return void res.writeHead(400).end();
      }
    res.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    /** The messages that browsers could decrypt, oldest first. */
    pushed,
    /** Why messages were rejected. */
    problems,
    /**
     * Adds a browser with a subscription. Its `reply` is the service's response to messages, and
     * its `replies` take precedence for the next messages.
     */
    browser(name = `browser ${browsers.size + 1}`): Browser {
      const browser = new Browser(name, `${origin}/push/${randomBytes(12).toString("base64url")}`);
      browsers.set(new URL(browser.subscription.endpoint).pathname, browser);
      return browser;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

class Browser {
  reply: Reply = {};
  replies: Reply[] = [];
  readonly subscription: { endpoint: string; p256dh: string; auth: string };
  private readonly keys = createECDH("prime256v1");
  private readonly secret = randomBytes(16);

  constructor(
    readonly name: string,
    endpoint: string,
  ) {
    const p256dh = this.keys.generateKeys("base64url");
    this.subscription = { endpoint, p256dh, auth: this.secret.toString("base64url") };
  }

  /** Decrypts one record of aes128gcm (RFC 8188), with the key from RFC 8291 section 3.4. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const size = body.readUInt32BE(16);
    const sender = body.subarray(21, 21 + (body[20] ?? 0));
    const sealed = body.subarray(21 + sender.length);
    if (sealed.length > size) throw new Error("more than one record");
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.keys.getPublicKey(), sender]);
    const shared = hkdf(this.keys.computeSecret(sender), this.secret, info, 32);
    const key = hkdf(shared, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const nonce = hkdf(shared, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    // After the text come the delimiter 2 and only zeros.
    const end = padded.lastIndexOf(2);
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no delimiter");
    return padded.subarray(0, end).toString("utf8");
  }
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));

/**
 * Checks a request's VAPID signature: made with the stated key, for this service, and valid for at
 * most a day.
 * @throws if a push service would reject the request
 */
function checkVapid(headers: IncomingHttpHeaders, audience: string) {
  const { t = "", k = "" } = Object.fromEntries(
    (headers.authorization ?? "")
      .replace(/^vapid /, "")
      .split(",")
      .map((part) => part.trim().split(/=(.*)/s).slice(0, 2)),
  );
  const [header = "", claims = "", signature = ""] = t.split(".");
  const point = Buffer.from(k, "base64url");
  const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const key = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) },
    format: "jwk",
  });
  const signed = Buffer.from(`${header}.${claims}`);
  const good = verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  if (!good) throw new Error("the signature is not that key's");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  if (aud !== audience) throw new Error(`meant for ${aud}`);
  if (!(exp > Date.now() / 1000 && exp <= Date.now() / 1000 + 86_400)) throw new Error("expires wrongly");
  if (!/^(mailto:|https:)/.test(sub)) throw new Error("names nobody to turn to");
  if (headers["content-encoding"] !== "aes128gcm") throw new Error("not encrypted as RFC 8291 says");
  if (!/^\d+$/.test(headers.ttl as string)) throw new Error("no TTL");
  if (!/^[\w-]{1,32}$/.test((headers.topic as string) ?? "t")) throw new Error("a bad Topic");
}
