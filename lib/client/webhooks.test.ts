import { createHmac, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { VerificationError } from "./errors";
import { verifyWebhook } from "./webhooks";

const now = 1_795_000_000_000;
const event = { id: "evt_x", type: "approval.resolved", createdAt: now, data: { id: "apr_x", text: "Grüße 😀" } };
const body = JSON.stringify(event);
const key = randomBytes(32);
const secret = `whsec_${key.toString("base64")}`;

function signed(by: Buffer, { id = "evt_x", at = String(now / 1000), text = body } = {}) {
  const mac = createHmac("sha256", by).update(`${id}.${at}.${text}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": `v1,${mac}` };
}

it("accepts webhook headers in any case, as an object or as Headers", async () => {
  const headers = signed(key);
  expect(await verifyWebhook(body, headers, secret, { now })).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret, { now })).toEqual(event);
  const shouting = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(body, shouting, secret, { now })).toEqual(event);
});

it("verifies the example from Standard Webhooks", async () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(await verifyWebhook('{"test": 2432232314}', headers, known, { now: 1614265330_000 })).toEqual({
    test: 2432232314,
  });
});

it("accepts several signatures or secrets during a rotation", async () => {
  const old = randomBytes(24);
  const both = {
    ...signed(key),
    "webhook-signature": `${signed(old)["webhook-signature"]} ${signed(key)["webhook-signature"]}`,
  };
  expect(await verifyWebhook(body, both, secret, { now })).toEqual(event);
  const secrets = [`whsec_${old.toString("base64")}`, secret];
  expect(await verifyWebhook(body, signed(key), secrets, { now })).toEqual(event);
});

it.each([
  ["another key", signed(randomBytes(32)), body],
  ["another body", signed(key), body.replace("apr_x", "apr_y")],
  ["another ID", { ...signed(key), "webhook-id": "evt_y" }, body],
  ["another time", { ...signed(key), "webhook-timestamp": String(now / 1000 + 1) }, body],
  ["an old time", signed(key, { at: String(now / 1000 - 301) }), body],
  ["a future time", signed(key, { at: String(now / 1000 + 301) }), body],
  ["no time", signed(key, { at: "1e9" }), body],
  [
    "another type of signature",
    { ...signed(key), "webhook-signature": signed(key)["webhook-signature"].replace("v1", "v1a") },
    body,
  ],
  ["no signature", { ...signed(key), "webhook-signature": "" }, body],
  [
    "an incomplete signature",
    { ...signed(key), "webhook-signature": signed(key)["webhook-signature"].slice(0, 20) },
    body,
  ],
] as const)("rejects a webhook with %s", async (_, headers, text) => {
  await expect(verifyWebhook(text, headers, secret, { now })).rejects.toThrow(VerificationError);
});

it.each(["", "whsec_", "whsec_not base64!"])("rejects the webhook secret %j", async (wrong) => {
  await expect(verifyWebhook(body, signed(Buffer.alloc(0)), wrong, { now })).rejects.toThrow(VerificationError);
});
