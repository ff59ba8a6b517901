import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openStore } from "./oidc/memory-store";
import { identityProvider, loopbackCallbacks, newSigningKey } from "./oidc/provider";

/** The endpoints at which the provider can fail. */
export type FaultyEndpoint = "discovery" | "jwks" | "token" | "refresh" | "userinfo" | "revocation";
/**
 * How the provider fails, in this order: disconnects, never responds, responds with a page,
 * responds with its own error, is busy for two minutes, rejects the token, or rejects our client.
 */
export type Fault = "down" | "slow" | "garbage" | "broken" | "busy" | "refused" | "unknown-client";

/** An issued token. `uses` counts how often it was sent to the token endpoint, accepted or not. */
export type Issued = { kind: string; value: string; account: string; uses: number };

/** The provider's controls for tests. With `account`, a failure affects only that account. */
export type Commands = {
  fault(where: FaultyEndpoint, how: Fault, account?: string): void;
  /** Ends all failures. */
  heal(account?: string): void;
  /** Replaces the signing keys. The old keys no longer verify. */
  rotateKeys(): void;
  /** Revokes all access, as the account's user could at the provider. */
  revoke(account: string): void;
  /** Sets an account's claims from now on (OpenID Connect). */
  describe(account: string, claims: Record<string, unknown>): void;
  /** Sets the lifetime of access tokens from now on. */
  accessTokenSeconds(seconds: number, account?: string): void;
  /**
   * Sets the scopes in an account's token responses. By default, the responses contain no scopes.
   */
  sayScope(account: string, scope?: string): void;
  issued(account?: string): Issued[];
  /** The number of requests to each endpoint. */
  asked(): Record<FaultyEndpoint, number>;
};

/** The same controls for another process. */
export type Remote = {
  [Name in keyof Commands]: (...given: Parameters<Commands[Name]>) => Promise<ReturnType<Commands[Name]>>;
};

export type TestIdentity = Commands & {
  origin: string;
  clientSecret: string;
  /** The provider's entry in OIDC_PROVIDERS. */
  setting: {
    id: string;
    name: string;
    issuer: string;
    clientId: string;
    clientSecret: string;
    scopes: typeof testScopes;
  };
  close(): void;
};

/** The provider's scopes for each permission, in the format of OIDC_PROVIDERS. */
const testScopes = {
  "mail.read": ["mail:read"],
  "mail.write": ["mail:send"],
  "calendar.read": ["cal:r"],
  "calendar.write": ["cal:r", "cal:w"],
  "files.read": ["files:read"],
};

const sentences = Object.fromEntries(
  [...new Set(Object.values(testScopes).flat())].map((scope) => [scope, `Have ${scope}`]),
);
const places: Record<string, FaultyEndpoint> = {
  "/.well-known/openid-configuration": "discovery",
  "/jwks": "jwks",
  "/token": "token",
  "/me": "userinfo",
  "/token/revocation": "revocation",
};

/**
 * Starts a certified OpenID Connect provider on this machine. Any name is an account, with the
 * email address NAME@`domain`. Tests in other processes control the provider at POST /test.
 * @param id the provider's ID in our catalog; the callback URL for this ID is accepted on any port
 * of this machine
 */
export async function startIdentityProvider(
  id: string,
  { name = "Corp", domain = "corp.example" } = {},
): Promise<TestIdentity> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = [`countersign-${randomBytes(4).toString("hex")}`, randomBytes(24).toString("hex")];

  const store = openStore();
  const issued = new Map<string, Issued>();
  const faults: { where: FaultyEndpoint; how: Fault; account: string | undefined }[] = [];
  const asked: Record<FaultyEndpoint, number> = {
    discovery: 0,
    jwks: 0,
    token: 0,
    refresh: 0,
    userinfo: 0,
    revocation: 0,
  };
  const claims = new Map<string, Record<string, unknown>>();
  const seconds = new Map<string | undefined, number>();
  const scopes = new Map<string, string | undefined>();
  const cookieKeys = [randomBytes(16).toString("hex")];
  let keys = [newSigningKey()];

  const adapter: typeof store.adapter = (kind) => {
    const kept = store.adapter(kind);
    return {
      ...kept,
      upsert: async (id, payload, expiresIn) => {
        const { accountId: account } = payload;
        if (account && /Token$|Code$/.test(kind) && !issued.has(id))
          issued.set(id, { kind, value: id, account, uses: 0 });
        await kept.upsert(id, payload, expiresIn);
      },
    };
  };
  const begin = () => {
    const begun = identityProvider({
      issuer: origin,
      name,
      scopes: sentences,
      cookieKeys,
      keys,
      adapter,
      client: { id: clientId, secret: clientSecret, called: "Countersign", redirectUris: loopbackCallbacks(id) },
      find: (account) =>
        /^[a-z0-9.-]{1,60}$/.test(account)
          ? { id: account, called: `Robin ${account}`, email: `${account}@${domain}` }
          : undefined,
      claims: (account) => claims.get(account),
      accessTokenSeconds: (account) => seconds.get(account) ?? seconds.get(undefined) ?? 3600,
    });
    begun.provider.on("server_error", (_, error) => console.error(error));
    begun.provider.use(async (ctx, next) => {
      await next();
      const given = ctx.body as { access_token?: string; scope?: string } | undefined;
      const { account = "" } = issued.get(given?.access_token ?? "") ?? {};
      if (scopes.has(account)) ctx.body = { ...given, scope: scopes.get(account) };
    });
    return begun;
  };
  let current = begin();

  const commands: Commands = {
    fault: (where, how, account) => void faults.push({ where, how, account }),
    heal: (account) => {
      for (const fault of [...faults])
        if (account === undefined || fault.account === account) faults.splice(faults.indexOf(fault), 1);
    },
    rotateKeys: () => {
      keys = [newSigningKey()];
      current = begin();
    },
    revoke: (account) => store.revoke(account),
    describe: (account, said) => void claims.set(account, said),
    accessTokenSeconds: (length, account) => void seconds.set(account, length),
    sayScope: (account, scope) => void scopes.set(account, scope),
    issued: (account) => [...issued.values()].filter((each) => account === undefined || each.account === account),
    asked: () => ({ ...asked }),
  };

  server.on("request", async (req: IncomingMessage, res: ServerResponse) => {
    const path = (req.url ?? "").split("?")[0] ?? "";
    let place = places[path];
    const form = req.method === "POST" && (place || path === "/test") ? await bodyOf(req) : "";
    if (path === "/test") return void obey(commands, form, res);
    if (!place) return current.handle(req, res);
    const sent = new URLSearchParams(form);
    const shown =
      sent.get("refresh_token") ?? sent.get("code") ?? req.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const token = issued.get(shown);
    if (place === "token" && token) token.uses++;
    if (place === "token" && sent.has("refresh_token")) place = "refresh";
    asked[place]++;
    const fault = faults.find((each) => each.where === place && (!each.account || each.account === token?.account));
    if (fault) return fail(fault.how, place, req, res);
    // The request's stream has already been read, so the provider needs the text as `req.body`.
    if (form) Object.assign(req, { body: form });
    current.handle(req, res);
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const setting = { id, name, issuer: origin, clientId, clientSecret, scopes: testScopes };
  return { origin, clientSecret, setting, close, ...commands };
}

/** Returns the controls of a provider that another process started at this origin. */
export const identityAt = (origin: string): Remote =>
  new Proxy({} as Remote, {
    get:
      (_, name) =>
      async (...given: unknown[]) => {
        const reply = await fetch(`${origin}/test`, { method: "POST", body: JSON.stringify({ name, given }) });
        if (!reply.ok) throw new Error(`The provider answered ${reply.status}`);
        return ((await reply.json()) as { value?: unknown }).value;
      },
  });

function obey(commands: Commands, text: string, res: ServerResponse) {
  const { name, given } = JSON.parse(text) as { name: keyof Commands; given: unknown[] };
  const value = (commands[name] as (...all: unknown[]) => unknown)(...given.map((each) => each ?? undefined));
  res.end(JSON.stringify({ value }));
}

function fail(how: Fault, place: FaultyEndpoint, req: IncomingMessage, res: ServerResponse) {
  const say = (status: number, body: string, headers: Record<string, string> = {}) =>
    void res.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  if (how === "down") return void req.socket.destroy();
  if (how === "slow") return;
  if (how === "garbage") return say(200, "<h1>Welcome</h1>", { "content-type": "text/html" });
  if (how === "broken") return say(500, '{"error":"server_error"}');
  if (how === "busy") return say(429, '{"error":"slow_down"}', { "retry-after": "120" });
  if (how === "unknown-client")
    return say(401, '{"error":"invalid_client"}', { "www-authenticate": 'Basic realm="x"' });
  if (place === "userinfo") return say(401, "", { "www-authenticate": 'Bearer error="invalid_token"' });
  return say(400, '{"error":"invalid_grant","error_description":"canary: what it was shown"}');
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of req) text += chunk;
  return text;
}
