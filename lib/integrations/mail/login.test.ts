import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Address } from "@/lib/net/dns";
import { configure } from "@/lib/testing/change-settings";
import { aMailbox } from "@/lib/testing/fake-mail-server";
import { aCertificate } from "@/lib/testing/self-signed-certificate";
import type { MailServer } from "../providers/provider";
import { hostName, typedServer } from "./find-servers";
import { logIn, type MailProblem, type MailWorld, type Protocol } from "./login";

configure({
  DATABASE_URL: "postgresql://nobody@localhost/none",
  SECRET: "only-for-tests-0123456789abcdef0123456789abcdef",
});

const login = { user: "robin@example.com", password: "sesame, open" };
const certificate = aCertificate("mail.example.com");
const protocols: Protocol[] = ["imap", "smtp"];

/** Returns lookups that resolve only the names in this table. `asked` lists the looked-up names. */
const world = (
  table: Record<string, string[]> = { "mail.example.com": ["127.0.0.1"] },
): MailWorld & { asked: string[] } => {
  const asked: string[] = [];
  const resolve = async (host: string): Promise<Address[]> => {
    asked.push(host);
    const found = table[host];
    if (!found) throw new Error(`ENOTFOUND ${host}`);
    return found.map((address) => ({ address, family: net.isIPv6(address) ? 6 : 4 }));
  };
  const none = async () => [];
  return { asked, resolve, srv: none, mx: none, ca: certificate.cert };
};

/** Returns the problem of a login attempt, or "in". */
async function attempt(protocol: Protocol, server: MailServer, its = world(), milliseconds = 4_000) {
  const signal = AbortSignal.timeout(milliseconds);
  const trying = logIn[protocol](server, login, { signal, world: its });
  return trying.then(
    () => "in" as const,
    (error) => (error.problem ?? error) as MailProblem,
  );
}

/** Allows these private addresses, because tests can use only private ones. */
function allow(...origins: string[]) {
  configure({ ALLOW_PRIVATE_FETCH: origins.join(" ") });
}
afterEach(() => {
  configure({ ALLOW_PRIVATE_FETCH: undefined });
});

describe("private addresses", () => {
  let visits = 0;
  const canary = net.createServer((socket) => {
    visits++;
    socket.destroy();
  });
  const listening = new Promise<number>((resolve) =>
    canary.listen(0, "::", () => resolve((canary.address() as AddressInfo).port)),
  );
  beforeEach(() => {
    visits = 0;
  });
  afterAll(() => void canary.close());

  const spellings = [
    ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001"],
    ...["0", "0.0.0.0", "127.000.000.001", "①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1", "LOCALHOST", "localhost."],
    ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
    ...["[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "10.0.0.1", "[fd00:ec2::254]", "168.63.129.16"],
  ];
  it.each(spellings)("rejects the private host %s", async (spelling) => {
    const host = hostName(spelling) ?? "";
    expect(host).not.toBe("");
    const loopback = world({ localhost: ["127.0.0.1", "::1"] });
    for (const protocol of protocols) {
      for (const tls of [true, false]) {
        expect(await attempt(protocol, { host, port: await listening, tls }, loopback)).toBe("no_server");
      }
    }
    expect(visits).toBe(0);
  });

  it.each([
    ["a loopback address", ["127.0.0.1"]],
    ["a private address", ["192.168.1.1"]],
    ["an IPv4-mapped loopback address", ["::ffff:127.0.0.1"]],
    ["a public address and a private one", ["1.1.1.1", "127.0.0.1"]],
    ["no address", []],
  ])("rejects a name that resolves to %s", async (_, addresses) => {
    const its = world({ "mail.example.com": addresses });
    expect(await attempt("imap", { host: "mail.example.com", port: await listening, tls: true }, its)).toBe(
      "no_server",
    );
    expect(visits).toBe(0);
  });

  it("connects to the checked address even if DNS switches to loopback", async () => {
    const asked: string[] = [];
    for (const protocol of protocols) {
      // An unused public range (the former 6bone), so that connections fail without reaching
      // anyone.
      const resolve = async (host: string) => [
        { address: asked.push(host) % 2 === 1 ? "3ffe::1" : "::1", family: 6 },
        { address: asked.length % 2 === 1 ? "3ffe::2" : "::1", family: 6 },
      ];
      asked.length = 0;
      const server = { host: "mail.example.com", port: await listening, tls: false };
      expect(["unreachable", "too_slow"]).toContain(await attempt(protocol, server, { ...world(), resolve }, 500));
      expect(asked).toEqual(["mail.example.com"]);
    }
    expect(visits).toBe(0);
  });

  it("rejects a private server whose protocol or encryption is not in ALLOW_PRIVATE_FETCH", async () => {
    const port = await listening;
    allow(`imap://mail.example.com:${port}`, `http://mail.example.com:${port}`, "imap://mail.example.com:1");
    expect(await attempt("imap", { host: "mail.example.com", port, tls: true })).toBe("no_server");
    expect(await attempt("smtp", { host: "mail.example.com", port, tls: false })).toBe("no_server");
    expect(visits).toBe(0);
    expect(await attempt("imap", { host: "mail.example.com", port, tls: false })).toBe("unreachable");
    expect(visits).toBe(1);
  });

  it("rejects ports that mail does not use", () => {
    for (const port of [22, 25, 80, 110, 465, 3306]) {
      expect(() => typedServer("imap", { host: "mail.example.com", port })).toThrow("Bad request");
    }
    for (const port of [25, 993, 8025]) {
      expect(() => typedServer("smtp", { host: "mail.example.com", port })).toThrow("Bad request");
    }
  });
});

type Answer = string[] | "hang up";
/** Returns the response to a line. Each connection has its own script. */
type Script = (line: string) => Answer;

/**
 * Starts a fake server with a greeting, and a new script for each connection. `heard` collects all
 * received lines.
 */
async function scripted(greeting: string, script: () => Script, { secure = false, trusted = certificate } = {}) {
  const heard: string[] = [];
  const names: string[] = [];
  const options = {
    ...trusted,
    SNICallback: (name: string, done: (error: null, context?: tls.SecureContext) => void) => {
      names.push(name);
      done(null);
    },
  };
  const talk = (socket: net.Socket, answer: Script) => {
    let rest = "";
    const hear = (chunk: Buffer) => {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        heard.push(line);
        const reply = answer(line);
        if (reply === "hang up") return void socket.destroy();
        socket.write(reply.map((each) => `${each}\r\n`).join(""));
        if (!/STARTTLS/i.test(line) || !/OK|^220/.test(reply.join())) continue;
        socket.off("data", hear);
        return talk(new tls.TLSSocket(socket, { isServer: true, ...options }), answer);
      }
    };
    socket.on("error", () => {}).on("data", hear);
  };
  const greet = (socket: net.Socket) => {
    talk(socket, script());
    if (greeting) socket.write(`${greeting}\r\n`);
    if (greeting.startsWith("* BYE")) socket.end();
  };
  const server = secure ? tls.createServer(options, greet).on("tlsClientError", () => {}) : net.createServer(greet);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(server);
  const { port } = server.address() as AddressInfo;
  return { port, heard, names };
}
const running: net.Server[] = [];
afterAll(() => {
  for (const server of running) server.close();
});

/** Returns the script of an IMAP server with this response to logins. */
const imap =
  (reply: string, capabilities = "AUTH=PLAIN STARTTLS") =>
  (): Script => {
    let waiting = "";
    return (line) => {
      if (waiting) {
        const answer: Answer = reply === "hang up" ? reply : [`${waiting} ${reply}`];
        waiting = "";
        return answer;
      }
      const [tag = "", command] = line.split(" ");
      if (command === "CAPABILITY") return [`* CAPABILITY IMAP4rev1 ${capabilities}`, `${tag} OK done`];
      if (command === "LOGIN") return [`${tag} ${reply}`];
      if (command !== "AUTHENTICATE") return [`${tag} OK done`];
      waiting = tag;
      return ["+ "];
    };
  };

/** Returns the script of an SMTP server with this response to logins. */
const smtp =
  (reply: string, extensions = ["AUTH PLAIN", "STARTTLS"]) =>
  (): Script =>
  (line) => {
    if (line.startsWith("EHLO"))
      return ["250-mail.example.com", ...extensions.map((each) => `250-${each}`), "250 8BITMIME"];
    if (line.startsWith("AUTH")) return reply === "hang up" ? reply : [reply];
    return [line === "QUIT" ? "221 bye" : "220 go on"];
  };

/** The password in each encoding that a login may send. */
const forms = [
  login.password,
  Buffer.from(login.password).toString("base64"),
  Buffer.from(`\0${login.user}\0${login.password}`).toString("base64"),
];
const wasSaid = (heard: string[]) => forms.some((form) => heard.join("\n").includes(form));

const at = (port: number, tls: boolean): MailServer => ({ host: "mail.example.com", port, tls });
/** Allows the server at this port, for each protocol and for both kinds of encryption. */
const allowAt = (port: number) =>
  allow(...["imap", "imaps", "smtp", "smtps"].map((scheme) => `${scheme}://mail.example.com:${port}`));

describe("response of a mail server to a login", () => {
  it.each<[reply: string, problem: MailProblem | "in"]>([
    ["OK in", "in"],
    ["NO [AUTHENTICATIONFAILED] wrong", "password"],
    ["NO [AUTHORIZATIONFAILED] not you", "password"],
    ["NO [EXPIRED] too old", "password"],
    ["NO no", "password"],
    ["NO [ALERT] Application-specific password required: https://support.example/ (Failure)", "app_password"],
    ["NO [UNAVAILABLE] later", "busy"],
    ["NO [INUSE] later", "busy"],
    ["NO [LIMIT] later", "busy"],
    ["NO [ALERT] Too many simultaneous connections", "busy"],
    ["NO [PRIVACYREQUIRED] not here", "not_by_password"],
    ["BAD what?", "garbage"],
    ["hang up", "unreachable"],
  ])("classifies the IMAP response “%s” as %s", async (reply, problem) => {
    for (const secure of [true, false]) {
      const server = await scripted("* OK ready", imap(reply), { secure });
      allowAt(server.port);
      expect(await attempt("imap", at(server.port, secure))).toBe(problem);
      expect(wasSaid(server.heard)).toBe(true);
      expect(server.names).toEqual(["mail.example.com"]);
    }
  });

  it.each<[reply: string, problem: MailProblem | "in"]>([
    ["235 in", "in"],
    ["535 5.7.8 wrong", "password"],
    ["534 5.7.9 Application-specific password required", "app_password"],
    ["534 5.7.14 Please log in via your web browser", "password"],
    ["454 4.7.0 later", "busy"],
    ["421 4.7.0 closing", "busy"],
    ["504 5.5.4 unknown mechanism", "not_by_password"],
    ["530 5.7.0 not here", "not_by_password"],
    ["hang up", "unreachable"],
  ])("classifies the SMTP response “%s” as %s", async (reply, problem) => {
    for (const secure of [true, false]) {
      const server = await scripted("220 mail.example.com", smtp(reply), { secure });
      allowAt(server.port);
      expect(await attempt("smtp", at(server.port, secure))).toBe(problem);
      expect(wasSaid(server.heard)).toBe(true);
      expect(server.names).toEqual(["mail.example.com"]);
    }
  });
});

describe("protection of the password", () => {
  const capable = imap("OK in", "AUTH=PLAIN");
  it.each<[what: string, protocol: Protocol, greeting: string, script: () => Script, problem: MailProblem]>([
    ["an IMAP server without STARTTLS", "imap", "* OK ready", capable, "no_tls"],
    ["an IMAP server that refuses STARTTLS", "imap", "* OK ready", refusing(imap("OK in"), "NO not now"), "no_tls"],
    [
      "an IMAP server that accepts no password",
      "imap",
      "* OK ready",
      imap("OK in", "STARTTLS LOGINDISABLED"),
      "not_by_password",
    ],
    ["an IMAP server that asks for no password before TLS", "imap", "* PREAUTH you are in", imap("OK in"), "no_tls"],
    ["an IMAP server that says goodbye", "imap", "* BYE not today", capable, "busy"],
    [
      "an SMTP server without STARTTLS",
      "smtp",
      "220 hello",
      refusing(smtp("235 in", ["AUTH PLAIN"]), "502 what?"),
      "no_tls",
    ],
    ["an SMTP server that refuses STARTTLS", "smtp", "220 hello", refusing(smtp("235 in"), "454 not now"), "no_tls"],
    ["an SMTP server that responds 554", "smtp", "554 no", smtp("235 in"), "garbage"],
    ["an SMTP server that is busy", "smtp", "421 later", smtp("235 in"), "busy"],
    ["an HTTP server", "smtp", "HTTP/1.1 400 Bad Request", smtp("235 in"), "garbage"],
  ])("sends no password to %s", async (_, protocol, greeting, script, problem) => {
    const server = await scripted(greeting, script);
    allowAt(server.port);
    expect(await attempt(protocol, at(server.port, false))).toBe(problem);
    expect(wasSaid(server.heard)).toBe(false);
  });

  it("rejects an IMAP server that requires no password", async () => {
    const server = await scripted("* PREAUTH you are in", imap("OK in"), { secure: true });
    allowAt(server.port);
    expect(await attempt("imap", at(server.port, true))).toBe("garbage");
    expect(wasSaid(server.heard)).toBe(false);
  });

  it.each(protocols)("rejects an %s server with an untrusted or mismatched certificate", async (protocol) => {
    const [greeting, script] = protocol === "imap" ? ["* OK ready", imap("OK in")] : ["220 hello", smtp("235 in")];
    const other = aCertificate("other.example.com");
    for (const secure of [true, false]) {
      for (const ca of [certificate.cert, other.cert]) {
        const server = await scripted(greeting, script, { secure, trusted: other });
        allowAt(server.port);
        expect(await attempt(protocol, at(server.port, secure), { ...world(), ca })).toBe("certificate");
        expect(wasSaid(server.heard)).toBe(false);
      }
    }
  });

  it.each(protocols)("rejects an %s server without the expected TLS", async (protocol) => {
    const server = await scripted(protocol === "imap" ? "* OK ready" : "220 hello", imap("OK in"));
    allowAt(server.port);
    expect(await attempt(protocol, at(server.port, true))).toBe("no_tls");
    expect(wasSaid(server.heard)).toBe(false);
  });

  it.each(protocols)("accepts no %s data injected before TLS", async (protocol) => {
    const [greeting, script] = protocol === "imap" ? ["* OK ready", imap("OK in")] : ["220 hello", smtp("235 in")];
    const injected = () => {
      const answer = script();
      return (line: string): Answer => {
        const reply = answer(line);
        return /STARTTLS/.test(line) && reply !== "hang up"
          ? [...reply, protocol === "imap" ? "* OK hello" : "250 hello"]
          : reply;
      };
    };
    const server = await scripted(greeting, injected);
    allowAt(server.port);
    const outcome = await attempt(protocol, at(server.port, false));
    // nodemailer discards earlier input, which is equally safe.
    expect(outcome).toBe(protocol === "imap" ? "no_tls" : "in");
  });

  it.each(protocols)("rejects an %s server that sends nothing or never stops sending", async (protocol) => {
    const silent = await scripted("", imap("OK in"));
    allowAt(silent.port);
    expect(await attempt(protocol, at(silent.port, false), world(), 300)).toBe("too_slow");
    const endless = await scripted("x".repeat(600_000), imap("OK in"));
    allowAt(endless.port);
    expect(await attempt(protocol, at(endless.port, false))).toBe("garbage");
  });

  it.each(protocols)("reports the closed port of an %s server", async (protocol) => {
    const gone = net.createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    allowAt(port);
    expect(await attempt(protocol, at(port, true))).toBe("unreachable");
  });
});

it("logs in to an SMTP server only with the right password", async () => {
  for (const secure of [true, false]) {
    const passwords = new Map([[login.user, login.password]]);
    const mailbox = await aMailbox({ passwords, certificate, secure });
    allowAt(mailbox.port);
    expect(await attempt("smtp", at(mailbox.port, secure))).toBe("in");
    passwords.set(login.user, "another");
    expect(await attempt("smtp", at(mailbox.port, secure))).toBe("password");
    expect(mailbox.letters).toEqual([]);
    await mailbox.close();
  }
});

/** Returns the script with this response to STARTTLS. */
function refusing(script: () => Script, reply: string): () => Script {
  return () => {
    const answer = script();
    return (line) => {
      if (!/STARTTLS/.test(line)) return answer(line);
      const [tag] = line.split(" ");
      return [tag === "STARTTLS" ? reply : `${tag} ${reply}`];
    };
  };
}
