import { domainToASCII } from "node:url";
import { AppError, badRequest } from "@/lib/errors";
import { hostOf } from "@/lib/net/guarded-fetch";
import type { MailServer } from "../providers/provider";
import { isNamed, type MailWorld, type Protocol } from "./login";
import { type MailProvider, providerOfDomain, providerOfMx, providerOfServer } from "./providers";

/** Servers to try, in this order. */
export type MailServers = {
  imap: MailServer[];
  smtp: MailServer[];
  provider?: MailProvider | undefined;
  /** Whether these are guesses: common names of mail servers. */
  guessed?: true;
};

/**
 * Thrown if DNS names servers outside the address's domain. The owner must confirm that they may
 * receive the password (RFC 6186 section 6). Until then, the service does not contact them.
 */
export class ServersToConfirm extends AppError {
  constructor(readonly servers: { imap: MailServer; smtp?: MailServer }) {
    const message = `Your mail server seems to be ${servers.imap.host}. To use this server, submit the form again.`;
    super(400, "Bad request", { details: [{ path: "imapHost", message }] });
  }
}

/**
 * The ports that mail programs use, and whether TLS starts with the first byte (RFC 8314 section
 * 7.3).
 */
const ports: Record<Protocol, ReadonlyMap<number, boolean>> = {
  imap: new Map([
    [993, true],
    [143, false],
  ]),
  smtp: new Map([
    [465, true],
    [587, false],
    [2525, false],
  ]),
};

/** A server as the owner enters it. Missing parts have defaults. */
export type TypedServer = { host: string; port?: number | undefined; tls?: boolean | undefined };

/**
 * Returns the server that the owner entered. Accepts only mail ports, or servers that the operator
 * allows, so that nobody can probe other services through us.
 * @throws {AppError} 400 naming the field
 */
export function typedServer(protocol: Protocol, typed: TypedServer): MailServer {
  const host = hostName(typed.host);
  if (!host) throw badRequest("Must be the name of a server, like mail.example.com", `${protocol}Host`);
  const usual = ports[protocol];
  const [first = 0] = [...usual.keys()].filter((port) => typed.tls === undefined || usual.get(port) === typed.tls);
  const port = typed.port ?? first;
  const server = { host, port, tls: typed.tls ?? usual.get(port) ?? true };
  if (!usual.has(port) && !isNamed(protocol, server)) {
    const [last, ...others] = [...usual.keys()].reverse();
    throw badRequest(`Must be ${others.reverse().join(", ")} or ${last}`, `${protocol}Port`);
  }
  return server;
}

/** Returns a normalized host name, or undefined if the text is not a host name. */
export function hostName(text: string): string | undefined {
  const typed = text.trim();
  if (!/^[^\s/?#@\\:]+$/.test(typed) && !/^\[[0-9a-f:.]+\]$/i.test(typed)) return undefined;
  if (!URL.canParse(`https://${typed}`)) return undefined;
  return hostOf(new URL(`https://${typed}`)).replace(/\.$/, "") || undefined;
}

/** Returns an email address's domain in lowercase ASCII, as in DNS. Empty if it is invalid. */
export const domainOf = (email: string): string => domainToASCII(email.slice(email.lastIndexOf("@") + 1).toLowerCase());

/**
 * Returns the servers for an address, from the first source that has any: a known provider of the
 * domain, the domain's DNS (RFC 6186, RFC 8314), a known provider that receives the domain's mail,
 * or guesses.
 * @throws {AppError} 400 for a provider that accepts no passwords
 * @throws {ServersToConfirm} if the owner must confirm servers that DNS names
 */
export async function findServers(email: string, wants: { smtp: boolean }, world: MailWorld): Promise<MailServers> {
  const domain = domainOf(email);
  const known = providerOfDomain(domain);
  if (known) return serversOf(known);
  const [named, exchange] = await Promise.all([namedServers(domain, world), mainExchange(domain, world)]);
  if (named.imap.length > 0) return confirmed(domain, named, wants);
  const host = exchange && providerOfMx(exchange);
  return host ? serversOf(host) : usualServers(domain);
}

function serversOf(provider: MailProvider, field = "email"): MailServers {
  const { servers, note = "" } = provider;
  if (!servers) throw badRequest(note, field);
  return { imap: [servers.imap], smtp: [servers.smtp], provider };
}

const usualServers = (domain: string): MailServers => ({
  guessed: true,
  imap: [...ports.imap].map(([port, tls]) => ({ host: `imap.${domain}`, port, tls })),
  smtp: [...ports.smtp].slice(0, 2).map(([port, tls]) => ({ host: `smtp.${domain}`, port, tls })),
});

/**
 * DNS services in order of preference, those with TLS from the first byte before those with
 * STARTTLS.
 */
const services = { imap: ["_imaps", "_imap"], smtp: ["_submissions", "_submission"] } as const;

async function namedServers(domain: string, world: MailWorld): Promise<MailServers> {
  const of = async (protocol: Protocol) => {
    const found = await Promise.all(
      services[protocol].map(async (service) => {
        const records = await world.srv(`${service}._tcp.${domain}`).catch(() => []);
        return records
          .sort((a, b) => a.priority - b.priority || b.weight - a.weight)
          .map(({ name, port }) => ({ host: hostName(name) ?? "", port, tls: service.endsWith("s") }));
      }),
    );
    // The target "." means that there is no such service. Targets must have mail ports, unless the
    // operator allows the server.
    return found
      .flat()
      .filter((server) => server.host && (ports[protocol].has(server.port) || isNamed(protocol, server)));
  };
  const [imap, smtp] = await Promise.all([of("imap"), of("smtp")]);
  return { imap, smtp: smtp.length > 0 ? smtp : usualServers(domain).smtp };
}

/**
 * Returns the servers that DNS names, unless the owner must confirm them. The owner need not
 * confirm servers of known providers, or under the address's domain. DNS can be forged, or name any
 * host.
 * @throws {ServersToConfirm}
 */
function confirmed(domain: string, { imap, smtp }: MailServers, wants: { smtp: boolean }): MailServers {
  const ours = ({ host }: MailServer) => host === domain || host.endsWith(`.${domain}`) || !!providerOfServer(host);
  const foreign = [...imap, ...(wants.smtp ? smtp : [])].some((server) => !ours(server));
  const [firstImap] = imap;
  const [firstSmtp] = smtp;
  if (foreign && firstImap) {
    throw new ServersToConfirm({ imap: firstImap, ...(wants.smtp && firstSmtp && { smtp: firstSmtp }) });
  }
  const provider = firstImap && providerOfServer(firstImap.host);
  return provider?.servers || !provider ? { imap, smtp, provider } : serversOf(provider);
}

async function mainExchange(domain: string, world: MailWorld): Promise<string | undefined> {
  const records = await world.mx(domain).catch(() => []);
  return records.sort((a, b) => a.priority - b.priority)[0]?.exchange;
}

/**
 * Returns the IMAP server that the owner entered, and the likely servers for sending.
 * @throws {AppError} 400 for a provider that accepts no passwords
 */
export function serversAt(imap: MailServer): MailServers {
  const provider = providerOfServer(imap.host);
  if (provider) return { ...serversOf(provider, "imapHost"), imap: [imap] };
  const host = imap.host.replace(/^imap\./, "smtp.");
  return { imap: [imap], smtp: [...ports.smtp].slice(0, 2).map(([port, tls]) => ({ host, port, tls })) };
}
