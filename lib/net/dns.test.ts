import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { resolveHost } from "./dns";

const [typeA, typeAaaa] = [1, 28];
/**
 * The names that the DNS server knows. It denies `gone.example`, and does not respond to queries
 * for other names.
 */
const known: Record<string, { type: number; data: number[] }[]> = {
  "both.example": [
    { type: typeA, data: [192, 0, 2, 7] },
    { type: typeAaaa, data: [0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 9] },
  ],
  "four.example": [{ type: typeA, data: [192, 0, 2, 8] }],
  "gone.example": [],
  "empty.example": [],
};
const asked: string[] = [];
const dns = createSocket("udp4").on("message", (query, from) => {
  const { name, type, end } = questionOf(query);
  asked.push(name);
  const answers = known[name]?.filter((it) => it.type === type);
  if (answers) dns.send(reply(query, end, answers, name === "gone.example"), from.port, from.address);
});
dns.bind(0, "127.0.0.1");
await once(dns as Socket, "listening");
const servers = [`127.0.0.1:${(dns.address() as AddressInfo).port}`];
afterAll(() => void dns.close());

it("resolves both IPv4 and IPv6 addresses", async () => {
  expect(await resolveHost("both.example", false, servers)).toEqual([
    { address: "192.0.2.7", family: 4 },
    { address: "2001:db8::9", family: 6 },
  ]);
  expect(await resolveHost("four.example", false, servers)).toEqual([{ address: "192.0.2.8", family: 4 }]);
});

it("reports an unknown host name", async () => {
  await expect(resolveHost("gone.example", false, servers)).rejects.toMatchObject({ code: "ENOTFOUND" });
});

it("returns no addresses for a name without an address", async () => {
  expect(await resolveHost("empty.example", false, servers)).toEqual([]);
});

it("reports a failed lookup when name servers are unreachable", async () => {
  const nobody = createSocket("udp4").bind(0, "127.0.0.1");
  await once(nobody, "listening");
  const { port } = nobody.address();
  nobody.close();
  await expect(resolveHost("both.example", false, [`127.0.0.1:${port}`])).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

it("resolves a name while lookups of fifty other names get no response", async () => {
  const silent = Array.from({ length: 50 }, (_, at) => resolveHost(`silent-${at}.example`, false, servers));
  await expect.poll(() => new Set(asked.filter((name) => name.startsWith("silent-"))).size).toBe(50);
  let ended = 0;
  for (const each of silent) each.catch(() => ended++);
  expect(await resolveHost("both.example", false, servers)).toHaveLength(2);
  expect(ended).toBe(0);
  await expect(silent[0]).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

it("resolves host names chosen by the operator with the system resolver", async () => {
  const before = asked.length;
  const found = await resolveHost("localhost", true, servers);
  expect(found.length).toBeGreaterThan(0);
  for (const { address } of found) expect(["127.0.0.1", "::1"]).toContain(address);
  expect(asked).toHaveLength(before);
});

/**
 * Reads a query's question (RFC 1035 section 4.1.2): labels with their lengths, a zero, the type,,
 * and the class.
 */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("ascii", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * Returns the reply to a query (RFC 1035 section 4.1): the question, and each answer with a pointer
 * to its name.
 */
function reply(query: Buffer, end: number, answers: { type: number; data: number[] }[], noSuchName: boolean) {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(noSuchName ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(answers.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = answers.map(({ type, data }) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  );
  return Buffer.concat([head, ...records]);
}
