import type { MailServer } from "../providers/provider";

/** A mail provider, identified by the domains of its addresses. */
export type MailProvider = {
  name: string;
  /** The domains of the provider's addresses: the part after the @. */
  domains: readonly string[];
  /** Suffixes of the provider's MX host names. They identify the provider of a custom domain. */
  mx?: readonly string[];
  /**
   * The provider's mail servers. Absent if the provider accepts no passwords from mail programs.
   */
  servers?: { imap: MailServer; smtp: MailServer };
  /** Known servers of a provider that accepts no passwords. */
  hosts?: readonly string[];
  /** The provider's help page about app passwords. */
  help?: string;
  /** A hint for the owner before the first attempt. */
  note?: string;
  /** The ID of the catalog entry to use instead. */
  instead?: string;
  /**
   * Whether the provider shows app passwords in groups, with spaces that are not part of the
   * password.
   */
  grouped?: true;
};

const provider = (name: string, domains: string, more: Omit<MailProvider, "name" | "domains">): MailProvider => ({
  name,
  domains: domains.split(" "),
  ...more,
});

/** Returns a provider's servers. They use TLS from the first byte, except SMTP at port 587. */
const servers = (imap: string, smtp: string, smtpPort: 465 | 587 = 465) => ({
  imap: { host: imap, port: 993, tls: true },
  smtp: { host: smtp, port: smtpPort, tls: smtpPort === 465 },
});

const imapIsOff = (name: string) =>
  `Turn on IMAP in your ${name} mail settings first. With two-factor sign-in, ${name} accepts only app-specific passwords.`;

/** The data is from each provider's help pages. */
export const mailProviders: readonly MailProvider[] = [
  provider("Gmail", "gmail.com googlemail.com", {
    mx: [".google.com", ".googlemail.com"],
    servers: servers("imap.gmail.com", "smtp.gmail.com"),
    help: "https://support.google.com/accounts/answer/185833",
    note: "Gmail accepts only app passwords. To create an app password, turn on 2-Step Verification.",
    grouped: true,
  }),
  provider("iCloud Mail", "icloud.com me.com mac.com", {
    mx: [".mail.icloud.com"],
    servers: servers("imap.mail.me.com", "smtp.mail.me.com", 587),
    help: "https://support.apple.com/102654",
    note: "iCloud Mail accepts only app-specific passwords.",
  }),
  provider("Fastmail", "fastmail.com fastmail.fm", {
    mx: [".messagingengine.com"],
    servers: servers("imap.fastmail.com", "smtp.fastmail.com"),
    help: "https://www.fastmail.com/help/clients/apppassword.html",
    note: "Fastmail accepts only app passwords. Your login name is your Fastmail address, even if you use your own domain.",
  }),
  provider("Yahoo Mail", "yahoo.com yahoo.co.uk yahoo.de yahoo.fr ymail.com rocketmail.com", {
    servers: servers("imap.mail.yahoo.com", "smtp.mail.yahoo.com"),
    help: "https://help.yahoo.com/kb/SLN15241.html",
    note: "Yahoo Mail accepts only app passwords.",
  }),
  provider("Outlook.com", "outlook.com hotmail.com live.com msn.com outlook.de hotmail.de hotmail.co.uk", {
    mx: [".protection.outlook.com", ".mx.microsoft"],
    hosts: ["outlook.office365.com", "imap-mail.outlook.com"],
    note: "Microsoft no longer allows programs to sign in with a password or an app password. Link this account as a Microsoft account instead.",
    instead: "microsoft",
  }),
  provider("GMX", "gmx.net gmx.de gmx.at gmx.ch", {
    servers: servers("imap.gmx.net", "mail.gmx.net"),
    note: imapIsOff("GMX"),
  }),
  provider("GMX", "gmx.com gmx.us", { servers: servers("imap.gmx.com", "mail.gmx.com", 587), note: imapIsOff("GMX") }),
  provider("WEB.DE", "web.de", { servers: servers("imap.web.de", "smtp.web.de", 587), note: imapIsOff("WEB.DE") }),
  provider("Zoho Mail", "zoho.com zohomail.com", {
    servers: servers("imap.zoho.com", "smtp.zoho.com"),
    note: "Turn on IMAP in your Zoho Mail settings first. If Zoho stores your account in Europe or India, enter that data center’s servers below.",
  }),
  provider("mailbox.org", "mailbox.org", {
    mx: [".mailbox.org"],
    servers: servers("imap.mailbox.org", "smtp.mailbox.org"),
    help: "https://kb.mailbox.org/en/private/security-and-privacy/e-mail-password",
  }),
  provider("Posteo", "posteo.de posteo.net", {
    servers: servers("posteo.de", "posteo.de"),
    note: "Turn off additional email account protection in your Posteo settings first. With this protection, no mail program can sign in.",
  }),
  provider("Proton Mail", "proton.me protonmail.com pm.me", {
    mx: [".protonmail.ch"],
    note: "Programs can read Proton Mail only through Proton Mail Bridge, which runs on your own computer. This service can’t connect to the bridge.",
  }),
  provider("Tuta", "tuta.com tuta.io tutanota.com tutanota.de", {
    mx: [".tutanota.de"],
    note: "Only Tuta’s own apps can read Tuta Mail.",
  }),
];

/** Returns the provider of addresses with this domain. @param domain in lower case */
export const providerOfDomain = (domain: string): MailProvider | undefined =>
  mailProviders.find(({ domains }) => domains.includes(domain));

/**
 * Returns the known provider that receives a custom domain's mail.
 * @param exchange the domain's MX host
 */
export const providerOfMx = (exchange: string): MailProvider | undefined =>
  mailProviders.find(({ mx }) => mx?.some((end) => `.${exchange.toLowerCase()}`.endsWith(end)));

/** Returns the known provider of a mail server, if any. */
export const providerOfServer = (host: string): MailProvider | undefined =>
  mailProviders.find(({ servers, hosts }) => [servers?.imap.host, servers?.smtp.host, ...(hosts ?? [])].includes(host));
