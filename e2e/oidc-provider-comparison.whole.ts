import { createHash, randomBytes } from "node:crypto";
import type { APIRequestContext } from "@playwright/test";
import { callback, ours, peer, type Server, scopes } from "./compared-servers";
import { expect, test } from "./fixtures";

// Sends the same requests to our server and to oidc-provider, a certified server. Each difference
// is a bug, unless the list below gives a reason.
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");
const basic = ({ clientId, clientSecret }: Pick<Server, "clientId" | "clientSecret">) =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;

function authorizeUrl(server: Server, changes: Record<string, string> = {}, extra = "") {
  const parameters = {
    response_type: "code",
    client_id: server.clientId,
    redirect_uri: callback,
    scope: scopes.join(" "),
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ""));
  return `${server.authorize}?${query}${extra}`;
}

/** An authorization request's outcome in one word. */
async function outcome(http: APIRequestContext, server: Server, url: string): Promise<string> {
  const reply = await http.get(url, { maxRedirects: 0 });
  const { location } = reply.headers();
  if (!location) return `page ${reply.status()}`;
  const to = new URL(location, server.issuer);
  if (to.origin === new URL(server.issuer).origin) return "asks the owner";
  // A request for a token in the URL receives its error in the URL.
  const answer = to.search ? to.searchParams : new URLSearchParams(to.hash.slice(1));
  expect(answer.get("iss")).toBe(server.issuer);
  expect(answer.get("state")).toBe("s");
  return `back ${answer.get("error")}`;
}

const authorizations: Record<string, [Record<string, string>, string?]> = {
  "a whole request": [{}],
  "no challenge": [{ code_challenge: "" }],
  "a plain challenge": [{ code_challenge_method: "plain" }],
  "no method": [{ code_challenge_method: "" }],
  "response_type token": [{ response_type: "token" }],
  "response_type code token": [{ response_type: "code token" }],
  "no response_type": [{ response_type: "" }],
  "another redirect_uri": [{ redirect_uri: "https://app.example/other" }],
  "another port": [{ redirect_uri: "https://app.example:8443/callback" }],
  "a longer path": [{ redirect_uri: `${callback}/more` }],
  "a fragment": [{ redirect_uri: `${callback}#x` }],
  "an unknown client": [{ client_id: "nobody" }],
  "no client": [{ client_id: "" }],
  "an unknown scope": [{ scope: "everything" }],
  "a parameter twice": [{}, "&scope=approvals%3Aread"],
  "the client twice": [{}, "&client_id=x"],
  "prompt=none": [{ prompt: "none" }],
  "a request object": [{ request: "x.y.z" }],
  "an unknown request_uri": [{ request_uri: "urn:ietf:params:oauth:request_uri:x" }],
  "an unknown response_mode": [{ response_mode: "nonsense" }],
};

/** The known differences, with their reasons. */
const differences: Record<string, string> = {
  "a parameter twice":
    "RFC 6749 section 3.1 forbids it and leaves open who is told; we trust no address of such a request",
  "an unknown response_mode": "RFC 6749 knows no such parameter and so no such error; ours is its general one",
  "an unknown scope":
    "RFC 6749 section 3.3 allows either; an app should learn of its mistake before the owner sees a page",
  "introspecting unasked": "RFC 6749 section 5.2: no client authentication at all is invalid_client",
  "no client": "RFC 6749 section 5.2: no client authentication at all is invalid_client",
};

test("answers authorization requests like oidc-provider except for the listed differences", async ({
  request: http,
}) => {
  const [us, they] = [await ours(), await peer()];
  try {
    const [found, wanted]: Record<string, string>[] = [{}, {}];
    for (const [name, [changes, extra]] of Object.entries(authorizations)) {
      if (name in differences) continue;
      found![name] = await outcome(http, us, authorizeUrl(us, changes, extra));
      wanted![name] = await outcome(http, they, authorizeUrl(they, changes, extra));
    }
    expect(found).toEqual(wanted);
  } finally {
    they.close();
  }
});

type Form = Record<string, string>;
type Reply = { status: number; error?: string } & Record<string, unknown>;

async function send(url: string, form: Form, authorization?: string, method = "POST"): Promise<Reply> {
  const body = new URLSearchParams(Object.entries(form).filter(([, value]) => value !== ""));
  const reply = await fetch(url, {
    method,
    headers: { ...(authorization && { authorization }) },
    ...(method === "POST" && { body }),
  });
  const text = await reply.text();
  return { status: reply.status, ...(text.startsWith("{") && (JSON.parse(text) as object)) };
}
const word = ({ status, error }: Reply) => `${status}${error ? ` ${error}` : ""}`;

/** Sends all requests to the token endpoint and related endpoints. Returns one outcome per line. */
async function judge(http: APIRequestContext, server: Server): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const me = basic(server);
  const code = async () => (await server.allow(http, authorizeUrl(server))).searchParams.get("code") ?? "";
  const redemption = async (changes: Form = {}): Promise<Form> => ({
    grant_type: "authorization_code",
    code: await code(),
    redirect_uri: callback,
    code_verifier: verifier,
    ...changes,
  });
  const redeem = async (changes: Form = {}, who = me) => send(server.token, await redemption(changes), who);
  const refresh = (refresh_token: unknown, changes: Form = {}, who = me) =>
    send(server.token, { grant_type: "refresh_token", refresh_token: String(refresh_token), ...changes }, who);
  const active = async (token: unknown) => String((await send(server.introspect, { token: String(token) }, me)).active);

  found["no grant_type"] = word(await redeem({ grant_type: "" }));
  for (const grant_type of ["password", "implicit", "nonsense"]) {
    found[grant_type] = word(await send(server.token, { grant_type, username: "u", password: "p" }, me));
  }
  found["a wrong secret"] = word(await redeem({}, basic({ ...server, clientSecret: "wrong" })));
  found["an unknown client"] = word(await redeem({}, basic({ clientId: "nobody", clientSecret: "x" })));
  found["no client"] = word(await redeem({}, ""));
  found["the secret in the form"] = word(
    await redeem({ client_id: server.clientId, client_secret: server.clientSecret }, ""),
  );
  found["no code"] = word(await redeem({ code: "" }));
  found["an unknown code"] = word(await redeem({ code: "nonsense" }));
  found["a wrong verifier"] = word(await redeem({ code_verifier: randomBytes(32).toString("base64url") }));
  found["no verifier"] = word(await redeem({ code_verifier: "" }));
  found["another redirect_uri"] = word(await redeem({ redirect_uri: "https://app.example/other" }));
  const form = await redemption();
  const first = await send(server.token, form, me);
  found.redeemed = word(first);
  found.token_type = String(first.token_type);
  found["the token"] = await active(first.access_token);
  found["the code again"] = word(await send(server.token, form, me));
  found["the token after that"] = await active(first.access_token);
  found["its refresh token after that"] = word(await refresh(first.refresh_token));

  const second = await redeem();
  found["a wider refresh"] = word(await refresh(second.refresh_token, { scope: `${scopes.join(" ")} everything` }));
  found["a narrower refresh"] = word(await refresh(second.refresh_token, { scope: scopes[0] ?? "" }));
  found["no refresh token"] = word(await refresh(""));
  found["an unknown refresh token"] = word(await refresh("nonsense"));
  const third = await redeem();
  const fourth = await refresh(third.refresh_token);
  found.refreshed = word(fourth);
  found.rotated = String(third.refresh_token !== fourth.refresh_token);
  await refresh(fourth.refresh_token);
  found["an old refresh token"] = word(await refresh(third.refresh_token));
  found["its family then"] = await active(fourth.access_token);

  found["revoking nothing known"] = word(await send(server.revoke, { token: "nonsense" }, me));
  found["revoking nothing"] = word(await send(server.revoke, {}, me));
  const fifth = await redeem();
  found.revoking = word(await send(server.revoke, { token: String(fifth.refresh_token) }, me));
  found["the access token then"] = await active(fifth.access_token);
  found["introspecting junk"] = JSON.stringify(await send(server.introspect, { token: "nonsense" }, me));
  found["introspecting unasked"] = word(await send(server.introspect, { token: "nonsense" }));
  return found;
}

test("returns oidc-provider's token responses except for the listed differences", async ({
  page: { request: http },
  owner: _,
}) => {
  test.setTimeout(60_000);
  const [us, they] = [await ours(), await peer()];
  try {
    const [found, wanted] = [await judge(http, us), await judge(http, they)];
    for (const name of Object.keys(differences)) {
      delete found[name];
      delete wanted[name];
    }
    expect(found).toEqual(wanted);
  } finally {
    they.close();
  }
});
