import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export type Letter = { from: string; to: string[]; text: string; headers: string };

type Door = {
  /** The passwords by user. If omitted, anyone may send mail. */
  passwords?: ReadonlyMap<string, string>;
  /** If given, the server offers STARTTLS, and requires it before a password. */
  certificate?: { key: string; cert: string };
  /** Whether to use TLS from the first byte. */
  secure?: boolean;
};

/** Starts a local mail server that stores its messages. `url` is the value for SMTP_URL. */
export async function aMailbox({ passwords, certificate, secure = false }: Door = {}): Promise<{
  url: string;
  port: number;
  letters: Letter[];
  close(): Promise<void>;
}> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    disabledCommands: [...(passwords ? [] : ["AUTH"]), ...(certificate ? [] : ["STARTTLS"])],
    ...certificate,
    secure,
    onAuth: ({ username = "", password }, _session, done) => {
      if (password !== undefined && passwords?.get(username) === password) return done(null, { user: username });
      done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    },
    onData: async (stream, { envelope }, done) => {
      let raw = "";
      for await (const chunk of stream) raw += chunk;
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const [headers = ""] = raw.split(/\r?\n\r?\n/, 1);
      letters.push({ from, to: envelope.rcptTo.map(({ address }) => address), text: plain(raw), headers });
      done();
    },
  });
  // Ignores clients that disconnect during the handshake, because they don't trust the certificate.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, port, letters, close };
}

/** Decodes quoted-printable UTF-8 text, which mail programs use for long lines (RFC 2045 section 6.7). */
const plain = (raw: string) =>
  raw
    .replace(/=\r?\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("=", ""), "hex").toString());
