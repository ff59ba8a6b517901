import { expect, it } from "vitest";
import { verified } from "@/lib/testing/webhook-receiver";
import { newSigningSecret, signatures } from "./signature";

const now = () => Math.floor(Date.now() / 1000);
const body = JSON.stringify({ id: "evt_1", type: "approval.resolved", data: { text: "Grüße „418“ \u{1f6a2}" } });
const sent = (secrets: string[], signed = { id: "evt_1", timestamp: now(), body }) => ({
  body,
  headers: {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": signatures(secrets, signed),
  },
});

it("computes the signature of the Standard Webhooks test vector", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const signed = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1614265330, body: '{"test": 2432232314}' };
  expect(signatures([secret], signed)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

it("creates secrets that the Standard Webhooks library accepts", () => {
  const secret = newSigningSecret();
  expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
  expect(newSigningSecret()).not.toBe(secret);
  expect(verified(secret, sent([secret]))).toEqual(JSON.parse(body));
});

it("verifies a webhook message with either of two current secrets", () => {
  const [older, newer] = [newSigningSecret(), newSigningSecret()];
  const message = sent([newer, older]);
  expect(message.headers["webhook-signature"].split(" ")).toHaveLength(2);
  for (const secret of [older, newer]) expect(verified(secret, message)).toMatchObject({ id: "evt_1" });
  expect(() => verified(newSigningSecret(), message)).toThrow();
});

it("rejects an altered or old webhook message", () => {
  const secret = newSigningSecret();
  const message = sent([secret]);
  expect(() => verified(secret, { ...message, body: body.replace("418", "419") })).toThrow();
  expect(() => verified(secret, { ...message, headers: { ...message.headers, "webhook-id": "evt_2" } })).toThrow();
  expect(() => verified(secret, sent([secret], { id: "evt_1", timestamp: now() - 600, body }))).toThrow(/old/i);
});
