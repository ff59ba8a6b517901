import type { MailServer } from "../providers/provider";

/** A mail provider that is known by the domain of its addresses. */
export type MailProvider = {
  name: string;
  /** What stands after the @ of its addresses. */
  domains: readonly string[];
  /** Ends of the names of its MX hosts, which tell its customers' own domains. */
  mx?: readonly string[];
  /** Absent where it lets no program in with a password. */
  servers?: { imap: MailServer; smtp: MailServer };
  /** Servers of such a one that are known all the same. */
  hosts?: readonly string[];
  /** Its own page about app passwords. */
  help?: string;
  /** What the owner should know before trying. */
  note?: string;
  /** Where it is linked instead: the id of another provider of the catalogue. */
  instead?: string;
  /** Its app passwords are shown in groups with blanks between them that are no part of them. */
  grouped?: true;
};

const tls = (host: string, port: number): MailServer => ({ host, port, tls: true });
const startTls = (host: string, port: number): MailServer => ({ host, port, tls: false });

/** Each as its own help pages say. */
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
    note: "Fastmail accepts only app passwords. Your login name is your Fastmail address, also with a domain of your own.",
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
    note: "Microsoft no longer lets programs in with a password, not even with an app password. Link it as a Microsoft account instead.",
    instead: "microsoft",
  },
  {
    name: "GMX",
    domains: ["gmx.net", "gmx.de", "gmx.at", "gmx.ch"],
    servers: { imap: tls("imap.gmx.net", 993), smtp: tls("mail.gmx.net", 465) },
    note: "At GMX, IMAP has to be switched on in the settings of your mail first. With two-factor sign-in it accepts only app-specific passwords.",
  },
  {
    name: "GMX",
    domains: ["gmx.com", "gmx.us"],
    servers: { imap: tls("imap.gmx.com", 993), smtp: startTls("mail.gmx.com", 587) },
    note: "At GMX, IMAP has to be switched on in the settings of your mail first. With two-factor sign-in it accepts only app-specific passwords.",
  },
  {
    name: "WEB.DE",
    domains: ["web.de"],
    servers: { imap: tls("imap.web.de", 993), smtp: startTls("smtp.web.de", 587) },
    note: "At WEB.DE, IMAP has to be switched on in the settings of your mail first. With two-factor sign-in it accepts only app-specific passwords.",
  },
  {
    name: "Zoho Mail",
    domains: ["zoho.com", "zohomail.com"],
    servers: { imap: tls("imap.zoho.com", 993), smtp: tls("smtp.zoho.com", 465) },
    note: "At Zoho Mail, IMAP has to be switched on in the settings of your mail first. Accounts of its centres in Europe or India have other servers: type them below.",
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
    note: "If you switched on additional mail account protection at Posteo, it lets no program in.",
  },
  {
    name: "Proton Mail",
    domains: ["proton.me", "protonmail.com", "pm.me"],
    mx: [".protonmail.ch"],
    note: "Proton Mail can be read by programs only through its Bridge on your own computer, which this service cannot reach.",
  },
  {
    name: "Tuta",
    domains: ["tuta.com", "tuta.io", "tutanota.com", "tutanota.de"],
    mx: [".tutanota.de"],
    note: "Tuta Mail can only be read in its own apps.",
  },
];

/** The provider of addresses with this domain, given in lower case. */
export const providerOfDomain = (domain: string): MailProvider | undefined =>
  mailProviders.find(({ domains }) => domains.includes(domain));

/** The provider that takes mail for somebody's own domain at this MX host. */
export const providerOfMx = (exchange: string): MailProvider | undefined =>
  mailProviders.find(({ mx }) => mx?.some((end) => `.${exchange.toLowerCase()}`.endsWith(end)));

/** The provider that a mail server belongs to, if it is a known one's. */
export const providerOfServer = (host: string): MailProvider | undefined =>
  mailProviders.find(({ servers, hosts }) => [servers?.imap.host, servers?.smtp.host, ...(hosts ?? [])].includes(host));
