import type { MailServer } from "../providers/provider";

/** A mail provider, known by the domains of its addresses. */
export type MailProvider = {
  name: string;
  /** The part after the @ of its addresses. */
  domains: readonly string[];
  /** Suffixes of its MX hosts' names, which identify its customers' own domains. */
  mx?: readonly string[];
  /** Absent if it allows no program to log in with a password. */
  servers?: { imap: MailServer; smtp: MailServer };
  /** Known servers of such a provider. */
  hosts?: readonly string[];
  /** Its help page about app passwords. */
  help?: string;
  /** A hint for the owner before the first attempt. */
  note?: string;
  /** The other catalogue entry to use instead, by ID. */
  instead?: string;
  /** It shows app passwords in groups with spaces that are not part of them. */
  grouped?: true;
};

const tls = (host: string, port: number): MailServer => ({ host, port, tls: true });
const startTls = (host: string, port: number): MailServer => ({ host, port, tls: false });

/** As described on each provider's help pages. */
export const mailProviders: readonly MailProvider[] = [
  {
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    mx: [".google.com", ".googlemail.com"],
    servers: { imap: tls("imap.gmail.com", 993), smtp: tls("smtp.gmail.com", 465) },
    help: "https://support.google.com/accounts/answer/185833",
    note: "Gmail accepts only app passwords, which need 2-Step Verification.",
    grouped: true,
  },
  {
    name: "iCloud Mail",
    domains: ["icloud.com", "me.com", "mac.com"],
    mx: [".mail.icloud.com"],
    servers: { imap: tls("imap.mail.me.com", 993), smtp: startTls("smtp.mail.me.com", 587) },
    help: "https://support.apple.com/102654",
    note: "iCloud Mail accepts only app-specific passwords.",
  },
  {
    name: "Fastmail",
    domains: ["fastmail.com", "fastmail.fm"],
    mx: [".messagingengine.com"],
    servers: { imap: tls("imap.fastmail.com", 993), smtp: tls("smtp.fastmail.com", 465) },
    help: "https://www.fastmail.com/help/clients/apppassword.html",
    note: "Fastmail accepts only app passwords. Your login name is your Fastmail address, even if you use your own domain.",
  },
  {
    name: "Yahoo Mail",
    domains: ["yahoo.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr", "ymail.com", "rocketmail.com"],
    servers: { imap: tls("imap.mail.yahoo.com", 993), smtp: tls("smtp.mail.yahoo.com", 465) },
    help: "https://help.yahoo.com/kb/SLN15241.html",
    note: "Yahoo Mail accepts only app passwords.",
  },
  {
    name: "Outlook.com",
    domains: ["outlook.com", "hotmail.com", "live.com", "msn.com", "outlook.de", "hotmail.de", "hotmail.co.uk"],
    mx: [".protection.outlook.com", ".mx.microsoft"],
    hosts: ["outlook.office365.com", "imap-mail.outlook.com"],
    note: "Microsoft no longer allows programs to sign in with a password, not even an app password. Link this account as a Microsoft account instead.",
    instead: "microsoft",
  },
  {
    name: "GMX",
    domains: ["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
    servers: { imap: tls("imap.gmx.net", 993), smtp: tls("mail.gmx.net", 465) },
    note: "Turn on IMAP in your GMX mail settings first. With two-factor sign-in, GMX accepts only app-specific passwords.",
  },
  {
    name: "GMX",
    domains: ["gmx.com", "gmx.us"],
    servers: { imap: tls("imap.gmx.com", 993), smtp: startTls("mail.gmx.com", 587) },
    note: "Turn on IMAP in your GMX mail settings first. With two-factor sign-in, GMX accepts only app-specific passwords.",
  },
  {
    name: "WEB.DE",
    domains: ["web.de"],
    servers: { imap: tls("imap.web.de", 993), smtp: startTls("smtp.web.de", 587) },
    note: "Turn on IMAP in your WEB.DE mail settings first. With two-factor sign-in, WEB.DE accepts only app-specific passwords.",
  },
  {
    name: "Zoho Mail",
    domains: ["zoho.com", "zohomail.com"],
    servers: { imap: tls("imap.zoho.com", 993), smtp: tls("smtp.zoho.com", 465) },
    note: "Turn on IMAP in your Zoho Mail settings first. Accounts in its European and Indian data centers use other servers. Enter them below.",
  },
  {
    name: "mailbox.org",
    domains: ["mailbox.org"],
    mx: [".mailbox.org"],
    servers: { imap: tls("imap.mailbox.org", 993), smtp: tls("smtp.mailbox.org", 465) },
    help: "https://kb.mailbox.org/en/private/security-and-privacy/e-mail-password",
  },
  {
    name: "Posteo",
    domains: ["posteo.de", "posteo.net"],
    servers: { imap: tls("posteo.de", 993), smtp: tls("posteo.de", 465) },
    note: "If you turned on additional mail account protection at Posteo, no program can sign in.",
  },
  {
    name: "Proton Mail",
    domains: ["proton.me", "protonmail.com", "pm.me"],
    mx: [".protonmail.ch"],
    note: "Programs can read Proton Mail only through its Bridge on your own computer, which this service cannot reach.",
  },
  {
    name: "Tuta",
    domains: ["tuta.com", "tuta.io", "tutanota.com", "tutanota.de"],
    mx: [".tutanota.de"],
    note: "Tuta Mail can only be read in its own apps.",
  },
];

/** The provider of addresses with this domain, in lower case. */
export const providerOfDomain = (domain: string): MailProvider | undefined =>
  mailProviders.find(({ domains }) => domains.includes(domain));

/** The provider that receives a custom domain's mail at this MX host. */
export const providerOfMx = (exchange: string): MailProvider | undefined =>
  mailProviders.find(({ mx }) => mx?.some((end) => `.${exchange.toLowerCase()}`.endsWith(end)));

/** The known provider that a mail server belongs to, if any. */
export const providerOfServer = (host: string): MailProvider | undefined =>
  mailProviders.find(({ servers, hosts }) => [servers?.imap.host, servers?.smtp.host, ...(hosts ?? [])].includes(host));
