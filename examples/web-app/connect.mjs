import { createHash, randomBytes } from "node:crypto";
import { Countersign, refreshingToken } from "countersign";
import { save, stored } from "./store.mjs";

const { APP_URL, CLIENT_ID, CLIENT_SECRET, COUNTERSIGN_URL } = process.env;
const redirect_uri = `${APP_URL}/callback`;
const scopes = ["approvals:write", "approvals:read"];
const random = () => randomBytes(32).toString("base64url");

/** The link for the owner's browser, and the values to store in its session until the owner returns. */
export function begin() {
  const [state, verifier] = [random(), random()];
  const link = new URL("/oauth/authorize", COUNTERSIGN_URL);
  link.search = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri,
    scope: scopes.join(" "),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return { link: link.href, state, verifier };
}

/** Exchange the code for tokens and store them. Returns the owner's ID. */
export async function finish({ state, verifier } = {}, query) {
  if (!state || query.state !== state) throw new Error("This connection was not started in this browser");
  if (query.error) throw new Error(`Not connected: ${query.error}`);
  const form = { grant_type: "authorization_code", code: query.code, code_verifier: verifier, redirect_uri };
  const response = await fetch(new URL("/oauth/token", COUNTERSIGN_URL), {
    method: "POST",
    body: new URLSearchParams({ ...form, client_id: CLIENT_ID, client_secret: CLIENT_SECRET }),
  });
  const granted = await response.json();
  if (!response.ok) throw new Error(granted.error_description ?? granted.error);
  const missing = scopes.filter((scope) => !granted.scope.split(" ").includes(scope));
  if (missing.length > 0) throw new Error(`Allow ${missing.join(" and ")} as well`);
  stored.tokens[granted.owner] = { accessToken: granted.access_token, refreshToken: granted.refresh_token };
  save();
  clients.delete(granted.owner);
  return granted.owner;
}

/** One client per owner, because a refresh token works only once. */
const clients = new Map();
export function clientFor(owner) {
  if (!clients.has(owner)) {
    const keep = (tokens) => {
      stored.tokens[owner] = tokens;
      save();
    };
    const access = { baseUrl: COUNTERSIGN_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, save: keep };
    const token = refreshingToken({ ...access, ...stored.tokens[owner] });
    clients.set(owner, new Countersign({ baseUrl: COUNTERSIGN_URL, token }));
  }
  return clients.get(owner);
}
