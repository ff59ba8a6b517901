import type { SrvRecord } from "node:dns";
import { afterEach, describe, expect, it } from "vitest";
import type { AppError } from "@/lib/errors";
import { configure } from "@/lib/testing/change-settings";
import { domainOf, findServers, hostName, ServersToConfirm, serversAt, typedServer } from "./find-servers";
import type { MailWorld } from "./login";
import { mailProviders } from "./providers";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

/** Returns simulated DNS lookups with these records. `asked` lists the looked-up names. */
function dns(
  srv: Record<string, Partial<SrvRecord>[]> = {},
  mx: Record<string, string> = {},
): MailWorld & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async () => [],
    srv: async (name) => {
      asked.push(name);
      const found = srv[name];
      if (!found) throw new Error("ENOTFOUND");
      return found.map((record) => ({ priority: 0, weight: 0, port: 0, name: "", ...record }));
    },
    mx: async (domain) => {
      asked.push(domain);
      const exchange = mx[domain];
      if (!exchange) throw new Error("ENODATA");
      return [
        { priority: 10, exchange: "backup.example.net" },
        { priority: 5, exchange },
      ];
    },
  };
}
const both = { smtp: true };
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: AppError) => error.details ?? [],
  );

afterEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
});

describe("servers discovered from an email address", () => {
  it("returns a known provider's servers without a DNS query", async () => {
    const world = dns();
    const found = await findServers("robin@ICLOUD.com", both, world);
    expect(found).toMatchObject({
      imap: [{ host: "imap.mail.me.com", port: 993, tls: true }],
      smtp: [{ host: "smtp.mail.me.com", port: 587, tls: false }],
      provider: { name: "iCloud Mail" },
    });
    expect(world.asked).toEqual([]);
  });

  it.each(["outlook.com", "hotmail.com", "proton.me", "tuta.com"])(
    "explains that %s accepts no passwords",
    async (domain) => {
      expect(await refusal(findServers(`robin@${domain}`, both, dns()))).toEqual([
        { path: "email", message: mailProviders.find(({ domains }) => domains.includes(domain))?.note },
      ]);
    },
  );

  it("prefers TLS to STARTTLS in the domain's DNS records", async () => {
    const world = dns({
      "_imap._tcp.example.com": [{ name: "plain.example.com", port: 143 }],
      "_imaps._tcp.example.com": [
        { name: "second.example.com", port: 993, priority: 20 },
        { name: "first.example.com", port: 993, priority: 10 },
      ],
      "_submissions._tcp.example.com": [{ name: "", port: 0 }],
      "_submission._tcp.example.com": [{ name: "out.example.com.", port: 587 }],
    });
    expect(await findServers("robin@example.com", both, world)).toEqual({
      imap: [
        { host: "first.example.com", port: 993, tls: true },
        { host: "second.example.com", port: 993, tls: true },
        { host: "plain.example.com", port: 143, tls: false },
      ],
      smtp: [{ host: "out.example.com", port: 587, tls: false }],
    });
  });

  it("ignores ports in DNS records that mail does not use", async () => {
    const world = dns({ "_imaps._tcp.example.com": [{ name: "imap.example.com", port: 22 }] });
    const { imap } = await findServers("robin@example.com", both, world);
    expect(imap.map(({ port }) => port)).toEqual([993, 143]);
  });

  it("requires confirmation of unknown servers outside the email address's domain", async () => {
    const named = {
      "_imaps._tcp.example.com": [{ name: "imap.host.example", port: 993 }],
      "_submissions._tcp.example.com": [{ name: "smtp.host.example", port: 465 }],
    };
    const found = await findServers("robin@example.com", both, dns(named)).catch((error) => error);
    expect(found).toBeInstanceOf(ServersToConfirm);
    expect(found.servers).toEqual({
      imap: { host: "imap.host.example", port: 993, tls: true },
      smtp: { host: "smtp.host.example", port: 465, tls: true },
    });
    expect(found.details[0].message).toContain("imap.host.example");
    // A name that only ends with the same letters is not part of the domain.
    const near = { "_imaps._tcp.example.com": [{ name: "imap.notexample.com", port: 993 }] };
    await expect(findServers("robin@example.com", { smtp: false }, dns(near))).rejects.toBeInstanceOf(ServersToConfirm);
    const known = { "_imaps._tcp.example.com": [{ name: "imap.fastmail.com", port: 993 }] };
    expect(await findServers("robin@example.com", { smtp: false }, dns(known))).toMatchObject({
      imap: [{ host: "imap.fastmail.com" }],
      provider: { name: "Fastmail" },
    });
  });

  it("returns the known servers of the provider in the domain's MX records", async () => {
    const world = dns(
      {},
      { "example.com": "ASPMX.L.google.com", "example.org": "example-org.mail.protection.outlook.com" },
    );
    expect(await findServers("robin@example.com", both, world)).toMatchObject({ imap: [{ host: "imap.gmail.com" }] });
    expect(await refusal(findServers("robin@example.org", both, world))).toMatchObject([{ path: "email" }]);
    expect(await findServers("robin@example.net", both, dns({}, { "example.net": "evilgoogle.com" }))).toMatchObject({
      imap: [{ host: "imap.example.net" }, { port: 143 }],
    });
  });

  it("tries common host names if the domain has no DNS records for mail", async () => {
    expect(await findServers("robin@bücher.example", both, dns())).toEqual({
      guessed: true,
      imap: [
        { host: "imap.xn--bcher-kva.example", port: 993, tls: true },
        { host: "imap.xn--bcher-kva.example", port: 143, tls: false },
      ],
      smtp: [
        { host: "smtp.xn--bcher-kva.example", port: 465, tls: true },
        { host: "smtp.xn--bcher-kva.example", port: 587, tls: false },
      ],
    });
    expect(domainOf("robin")).toBe("robin");
  });

  it("derives the outgoing server from the incoming server", () => {
    const smtpBeside = (host: string) => serversAt({ host, port: 993, tls: true }).smtp;
    expect(smtpBeside("imap.gmail.com")).toEqual([{ host: "smtp.gmail.com", port: 465, tls: true }]);
    expect(smtpBeside("imap.example.com")[0]?.host).toBe("smtp.example.com");
    expect(smtpBeside("mail.example.com")[0]?.host).toBe("mail.example.com");
    expect(() => smtpBeside("outlook.office365.com")).toThrow();
  });

  it("rejects servers of a provider that accepts no passwords", async () => {
    const named = { "_imaps._tcp.example.com": [{ name: "outlook.office365.com", port: 993 }] };
    expect(await refusal(findServers("robin@example.com", { smtp: false }, dns(named)))).toMatchObject([
      { path: "email" },
    ]);
  });
});

describe("typed server", () => {
  it.each<[typed: Parameters<typeof typedServer>[1], server: object]>([
    [{ host: " IMAP.Example.com. " }, { host: "imap.example.com", port: 993, tls: true }],
    [
      { host: "imap.example.com", port: 143 },
      { port: 143, tls: false },
    ],
    [
      { host: "imap.example.com", tls: false },
      { port: 143, tls: false },
    ],
    [
      { host: "imap.example.com", port: 143, tls: true },
      { port: 143, tls: true },
    ],
    [{ host: "[2606:4700::1]" }, { host: "2606:4700::1" }],
    [{ host: "bücher.example" }, { host: "xn--bcher-kva.example" }],
  ])("normalizes the typed server %j", (typed, server) => expect(typedServer("imap", typed)).toMatchObject(server));

  it.each([
    "",
    " ",
    "a b",
    "imap.example.com:993",
    "user@imap.example.com",
    "imap.example.com/x",
    "https://a.example",
    "a?b",
    "[::1",
    "::1",
  ])("rejects the server name “%s”", (host) => {
    expect(hostName(host)).toBeUndefined();
    expect(() => typedServer("imap", { host })).toThrow();
  });

  it("accepts only mail ports and explicitly allowed ports", () => {
    expect(() => typedServer("imap", { host: "127.0.0.1", port: 1143, tls: true })).toThrow();
    configure({ ALLOW_PRIVATE_FETCH: "imaps://127.0.0.1:1143" });
    expect(typedServer("imap", { host: "127.0.0.1", port: 1143, tls: true })).toMatchObject({ port: 1143 });
    expect(() => typedServer("imap", { host: "127.0.0.1", port: 1143, tls: false })).toThrow();
    expect(() => typedServer("smtp", { host: "127.0.0.1", port: 1143, tls: true })).toThrow();
  });
});

it("defines valid servers or a note for every known provider", () => {
  const domains = mailProviders.flatMap((each) => each.domains);
  expect(new Set(domains).size).toBe(domains.length);
  for (const { name, servers, note, help } of mailProviders) {
    expect(servers || note, name).toBeTruthy();
    if (help) expect(new URL(help).protocol).toBe("https:");
    for (const server of servers ? [servers.imap, servers.smtp] : []) {
      expect(server.host).toBe(hostName(server.host));
      expect(server.tls).toBe([993, 465].includes(server.port));
    }
  }
});
