// The client of Countersign: one file without dependencies, for Node.js 20 and later, Deno, Bun,
// browsers and workers. Its types are in countersign.d.ts.

// lib/client/canonical-json.ts
function canonicalJson(value) {
  if (typeof value === "string") {
    if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value))
      throw new TypeError("Can't encode an unpaired surrogate as JSON");
    return JSON.stringify(value);
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError(`Can't encode ${value} as JSON`);
  if (value === null || typeof value === "boolean" || typeof value === "number") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item)).join(",")}]`;
  if (typeof value !== "object") throw new TypeError(`Can't encode a value of type ${typeof value} as JSON`);
  const fields = Object.entries(value).filter(([, held]) => held !== void 0);
  fields.sort(([a], [b]) => a < b ? -1 : 1);
  return `{${fields.map(([name, held]) => `${canonicalJson(name)}:${canonicalJson(held)}`).join(",")}}`;
}

// lib/client/answer.ts
function asAnswer(id, resolution, allowSimulated = false) {
  const { kind, optionId, otherText, note, values, resolvedBy } = resolution;
  const simulated = isSimulated(note);
  const counts = resolvedBy === "owner" && (allowSimulated || !simulated);
  return {
    id,
    resolution,
    note,
    values,
    by: resolvedBy,
    chosen: kind === "option" ? optionId : void 0,
    text: kind === "other" ? otherText : void 0,
    simulated,
    yes: (wanted) => counts && kind === "option" && optionId === wanted
  };
}
var isSimulated = (note) => note?.startsWith("Simulated: ") ?? false;
var choseOption = ({ resolvedBy, kind, optionId, values: chosen }, wanted, values) => resolvedBy === "owner" && kind === "option" && optionId === wanted && (values === void 0 || canonicalJson(chosen ?? {}) === canonicalJson(values));

// lib/client/errors.ts
var CountersignError = class extends Error {
  constructor(message, status, details = [], requestId = void 0, options) {
    super(message, options);
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.name = "CountersignError";
  }
  status;
  details;
  requestId;
};
function unreachable(url, cause) {
  let reason = "";
  for (let error = cause; error instanceof Error; error = causeOf(error)) {
    const { name, message, code } = error;
    const own = name === "TimeoutError" ? "no response in time" : message || (typeof code === "string" ? code : "");
    if (own) reason = own;
  }
  const text = `Could not connect to the service at ${url.origin}${reason && ` (${reason})`}`;
  return new CountersignError(text, 0, [], void 0, { cause });
}
var causeOf = (error) => error instanceof AggregateError ? error.errors.at(-1) : error.cause;
var NoAnswerError = class extends Error {
  constructor(id, deadlinePassed = false) {
    super(deadlinePassed ? "The deadline passed without an answer" : "The owner did not answer in time");
    this.id = id;
    this.deadlinePassed = deadlinePassed;
    this.name = "NoAnswerError";
  }
  id;
  deadlinePassed;
};
var VerificationError = class extends Error {
  constructor(message) {
    super(message);
    this.name = "VerificationError";
  }
};

// lib/client/http-calls.ts
var passing = /* @__PURE__ */ new Set([408, 425, 429, 502, 503, 504]);
var apiVersion = "1";
var replyMs = 2e4;
var Calls = class {
  constructor(connection) {
    this.connection = connection;
  }
  connection;
  /**
   * Makes a call, and parses the JSON response.
   * @throws {CountersignError} if the service rejects the call or does not respond
   * @throws the signal's reason once the signal is aborted
   */
  async json(call) {
    const until = call.until ?? performance.now() + (this.connection.patienceMs ?? 6e4);
    const again = call.method === "GET" || call.key !== void 0;
    const { token } = this.connection;
    let refused;
    for (let attempt = 0; ; attempt++) {
      call.signal?.throwIfAborted();
      const bearer = typeof token === "function" ? await token(refused) : token;
      const { failure, retryAfter, ...done } = await this.attempt(call, bearer, until);
      if (done.headers && !failure) return { value: done.value, headers: done.headers };
      const error = failure;
      if (error.status === 401 && typeof token === "function" && refused === void 0) {
        refused = bearer;
        continue;
      }
      if (!again || !(error.status === 0 || passing.has(error.status))) throw error;
      const left = until - performance.now();
      if (left <= 0) throw error;
      const delay = retryAfter ?? Math.random() * Math.min(1e4, 250 * 2 ** attempt);
      const delayMs = Math.min(delay, left);
      this.connection.onRetry?.({ attempt: attempt + 1, delayMs, reason: error });
      await pause(delayMs, call.signal);
    }
  }
  async attempt(call, bearer, until) {
    const { baseUrl, fetch = globalThis.fetch } = this.connection;
    const url = new URL(call.path, baseUrl);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== void 0) url.searchParams.set(name, String(value));
    const timeoutMs = Math.min(replyMs + (call.waits ?? 0) * 1e3, Math.max(0, until - performance.now()) + 1e3);
    const late = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const reply2 = await fetch(url, {
        method: call.method,
        // Redirects are not followed, because the token must not reach another server. Not every
        // runtime supports `redirect: "error"`.
        redirect: "manual",
        signal: call.signal ? AbortSignal.any([call.signal, late]) : late,
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: "application/json",
          "countersign-version": apiVersion,
          ...call.body !== void 0 && { "content-type": "application/json" },
          ...call.key !== void 0 && { "idempotency-key": call.key }
        },
        ...call.body !== void 0 && { body: JSON.stringify(call.body) }
      });
      const text = await reply2.text();
      const value = parse(text);
      if (reply2.ok && value !== void 0) return { value, headers: reply2.headers };
      return { failure: refusal(reply2, value), retryAfter: seconds(reply2.headers.get("retry-after")) };
    } catch (error) {
      call.signal?.throwIfAborted();
      return { failure: unreachable(url, error) };
    }
  }
};
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function refusal(reply2, value) {
  const { error, details } = value ?? {};
  const what = details?.map(({ path, message }) => path ? `${path}: ${message}` : message).join("; ");
  const summary = error ?? (reply2.ok ? "The response is not JSON" : `The service responded with HTTP status ${reply2.status}`);
  const status = reply2.ok ? 502 : reply2.status;
  const requestId = reply2.headers.get("x-request-id") ?? void 0;
  return new CountersignError(what ? `${summary}: ${what}` : summary, status, details, requestId);
}
var seconds = (header2) => header2 !== null && /^\d{1,6}$/.test(header2) ? Math.min(300, Number(header2)) * 1e3 * (1 + Math.random() / 4) : void 0;
var pause = (ms, signal) => new Promise((resolve, reject) => {
  const stop = () => {
    clearTimeout(timer);
    reject(signal?.reason);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener("abort", stop);
    resolve();
  }, ms);
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop, { once: true });
});

// lib/client/ask.ts
var maxWaitSeconds = 60;
async function ask(calls, question) {
  const { key, signal, timeoutMs, onAsked, onQuestion, ...content } = question;
  const until = performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  const apart = onAsked !== void 0 || signal !== void 0 || timeoutMs !== void 0;
  const { value, headers } = await unlessLate(
    void 0,
    until,
    () => calls.json({
      method: "POST",
      path: "/api/approvals",
      body: content,
      key: key ?? crypto.randomUUID(),
      signal,
      until,
      ...!apart && waiting(until)
    })
  );
  onAsked?.(value.id);
  return waitFor(calls, value.id, { until, signal, onQuestion }, apart ? void 0 : { value, headers });
}
async function waitFor(calls, id, how, first) {
  const { until, signal } = how;
  segment(id, "approval");
  let heard = 0;
  for (let read = first; ; read = void 0) {
    const { value, headers } = read ?? await look(calls, id, how);
    if (value.status === "resolved" && value.resolution)
      return asAnswer(id, value.resolution, calls.connection.allowSimulated);
    const { deadlinePassed, questions = [], additions = [] } = value;
    if (deadlinePassed) throw new NoAnswerError(id, true);
    if (performance.now() >= until) throw new NoAnswerError(id);
    const lastAdditionAt = additions.at(-1)?.createdAt ?? 0;
    for (const { text, createdAt } of questions.slice(heard))
      if (createdAt > lastAdditionAt) await reply(calls, id, how, text);
    if (questions.length === heard) await breathe(headers, until, signal);
    heard = questions.length;
  }
}
var look = (calls, id, { until, signal }) => unlessLate(
  id,
  until,
  () => calls.json({ method: "GET", path: approvalAt(id), signal, until, ...waiting(until) })
);
async function reply(calls, id, { signal, onQuestion }, question) {
  const text = await onQuestion?.(question, id);
  if (text === void 0) return;
  await addContext(calls, id, text, signal).catch((error) => {
    if (!(error instanceof CountersignError && error.status === 409)) throw error;
  });
}
async function addContext(calls, id, text, signal) {
  const path = `${approvalAt(id)}/additions`;
  await calls.json({ method: "POST", path, body: { text }, key: crypto.randomUUID(), signal });
}
var approvalAt = (id) => `/api/approvals/${segment(id, "approval")}`;
function segment(id, what) {
  if (typeof id !== "string" || id === "") throw new TypeError(`The ${what} ID is missing`);
  return encodeURIComponent(id);
}
function waiting(until) {
  const seconds2 = Math.min(maxWaitSeconds, Math.floor((until - performance.now()) / 1e3));
  return seconds2 < 1 ? {} : { query: { wait: seconds2 }, waits: seconds2 };
}
async function unlessLate(id, until, work) {
  try {
    return await work();
  } catch (error) {
    const status = error.status;
    const passing2 = status !== void 0 && (status === 0 || status === 429 || status >= 500);
    if (passing2 && performance.now() >= until) throw new NoAnswerError(id);
    throw error;
  }
}
async function breathe(headers, until, signal) {
  const seconds2 = Number(headers.get("retry-after") ?? 1);
  const left = until - performance.now();
  if (left > 0) await pause(Math.min(left, (Number.isFinite(seconds2) ? seconds2 : 1) * 1e3), signal);
}

// lib/client/connection-options.ts
function connectionOf(given2) {
  const { process } = globalThis;
  const needed = (value, ask2, option, variable) => {
    const found = value || process?.env?.[variable];
    if (!found) throw new TypeError(`${ask2} Pass ${option}${process?.env ? `, or set ${variable}` : ""}.`);
    return found;
  };
  const allowSimulated = process?.env?.COUNTERSIGN_ALLOW_SIMULATED === "1";
  return {
    ...allowSimulated && { allowSimulated },
    ...given2,
    baseUrl: needed(given2.baseUrl, "The service address is missing.", "baseUrl", "COUNTERSIGN_URL"),
    token: needed(given2.token, "The token is missing.", "token", "COUNTERSIGN_TOKEN")
  };
}

// lib/client/content-hash.ts
async function contentHash(content) {
  const { question, facts, options, backgroundContext, recommendation, expiresAt, defaultOptionId, risk } = content;
  const { signedByOwner } = content;
  const text = canonicalJson({
    question,
    ...withoutNull({ backgroundContext, recommendation, expiresAt, defaultOptionId, risk }),
    options: options.map(({ id, label, note, style, fields }) => ({
      ...withoutNull({ id, label, note, style }),
      ...fields === true && { fields: true }
    })),
    // The service counts empty fields as absent.
    ...content.fields && Object.keys(content.fields).length > 0 && { fields: content.fields },
    ...facts?.length && { facts: facts.map(({ label, value }) => ({ label, value })) },
    // The service turns on ownerOnly for a question that requires a signature.
    ...(content.ownerOnly === true || signedByOwner === true || signedByOwner === "in-lens") && { ownerOnly: true },
    ...content.once === true && { once: true },
    ...signedByOwner && { signedByOwner },
    ...content.additions?.length && {
      additions: content.additions.map(({ text: text2, createdAt }) => ({ text: text2, createdAt }))
    }
  });
  return hashOf(text);
}
var withoutNull = (members) => Object.fromEntries(Object.entries(members).filter(([, it]) => it !== null));
async function hashOf(text) {
  const digest = await sha256(new TextEncoder().encode(text));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
var sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

// lib/client/paged-list.ts
function listing(read) {
  const first = read();
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await read(page.nextCursor)) {
        yield* page.data;
        if (page.nextCursor === void 0) return;
      }
    }
  });
}

// lib/client/base64.ts
function fromBase64(text) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return void 0;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return void 0;
  }
}
function fromBase64Url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return void 0;
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes && toBase64Url(bytes) === text ? bytes : void 0;
}
var toBase64Url = (bytes) => btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), "")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

// lib/client/named-checks.ts
function requireChecks(what, checks, types3, required) {
  const given2 = { ...checks };
  for (const name of /* @__PURE__ */ new Set([...required, ...Object.keys(given2)])) {
    const type = Object.hasOwn(types3, name) ? types3[name] : void 0;
    if (type === void 0) throw new TypeError(`The ${what} check "${name}" does not exist`);
    if (!type.endsWith(` ${typeOf(given2[name])}`)) throw new TypeError(`The ${what} check "${name}" must be ${type}`);
  }
}
function requireOneOf(checks, names) {
  if (names.some((name) => name in checks)) return;
  const quoted = names.map((name) => `"${name}"`);
  throw new TypeError(`Pass at least one of ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`);
}
function typeOf(value) {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

// lib/client/receipt-keys.ts
var clockSkew = 300;
function findKey(jwks, kid, receivedAt) {
  const isKey = (key2) => key2.kid === kid && key2.kty === "OKP" && key2.crv === "Ed25519";
  const distrusted = jwks.revoked_keys?.find(isKey);
  const key = distrusted ?? jwks.keys.find(isKey);
  if (!key) throw new VerificationError("The receipt is signed with a key that the service does not publish");
  const revoked = key.revoked ?? (distrusted && {});
  if (revoked && !(receivedAt !== void 0 && receivedAt < Number(revoked.revoked_at) * 1e3))
    throw new VerificationError(
      `The service revoked the receipt's key, because others may have had the key${since(revoked.revoked_at)}. Get the receipt from the service again`
    );
  return key;
}
var since = (time) => typeof time === "number" ? ` since ${iso(time)}` : "";
function checkTimes({ nbf, exp }, iat, receivedAt) {
  const seen = (receivedAt ?? Date.now()) / 1e3;
  if (nbf !== void 0 && !(seen + clockSkew >= nbf))
    throw new VerificationError(
      `The receipt's key is valid from ${iso(nbf)}, which is later than ${receivedAt === void 0 ? "this computer's time" : "receivedAt"}`
    );
  if (exp !== void 0 && !(Number(iat) <= exp))
    throw new VerificationError(`The receipt's answer is later than the end of its key at ${iso(exp)}`);
  if (receivedAt !== void 0 && !(Number(iat) <= seen + clockSkew))
    throw new VerificationError("The receipt's answer is later than receivedAt");
}
function iso(time) {
  const date = new Date(time * 1e3);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString();
}

// lib/client/receipts.ts
async function verifyReceipt(jws, checks) {
  requireChecks("receipt", checks, types, ["issuer", "audience", "owner"]);
  requireOneOf(checks, ["approvalId", "content", "contentHash"]);
  const parts = jws.split(".");
  const [header2, payload, signature] = parts.map(fromBase64Url);
  if (parts.length !== 3 || !header2 || !payload || !signature)
    throw new VerificationError("The receipt is not a compact JWS");
  const { alg, typ, kid, crit } = json(header2);
  if (alg !== "EdDSA" || crit !== void 0) throw new VerificationError("The receipt is not signed with EdDSA");
  if (typ !== "countersign-receipt+jwt") throw new VerificationError("The token is not a receipt");
  const key = findKey(checks.jwks ?? await fetchKeys(checks), kid, checks.receivedAt);
  const signed = new TextEncoder().encode(jws.slice(0, jws.lastIndexOf(".")));
  if (!await crypto.subtle.verify("Ed25519", await imported(key), signature, signed))
    throw new VerificationError("The receipt's signature is invalid");
  const receipt = json(payload);
  checkTimes(key, receipt.iat, checks.receivedAt);
  const must = (claim, wanted) => {
    if (wanted !== void 0 && receipt[claim] !== wanted)
      throw new VerificationError(`The receipt's claim ${claim} does not match the expected value`);
  };
  must("iss", checks.issuer);
  must("aud", checks.audience);
  if (receipt.owner !== void 0 || checks.acceptWithoutOwner !== true) must("owner", checks.owner);
  must("sub", checks.approvalId);
  must("contentHash", checks.contentHash);
  if (checks.content) must("contentHash", await contentHash(checks.content));
  const { resolution } = receipt;
  if (typeof resolution !== "object" || resolution === null) throw new VerificationError("The receipt has no answer");
  const simulated = receipt.simulated || receipt.owner === void 0 && isSimulated(resolution.note);
  if (simulated && checks.allowSimulated !== true)
    throw new VerificationError("A simulated owner answered, but allowSimulated is not true");
  return {
    ...receipt,
    yes: (optionId, values) => choseOption(resolution, optionId, values)
  };
}
var types = {
  issuer: "a string",
  audience: "a string",
  owner: "a string",
  approvalId: "a string",
  contentHash: "a string",
  content: "an object",
  jwks: "an object",
  jwksUrl: "a string",
  fetch: "a function",
  receivedAt: "a number",
  acceptWithoutOwner: "a boolean",
  allowSimulated: "a boolean"
};
var imported = ({ kty, crv, x }) => crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
async function fetchKeys({ issuer, jwksUrl, fetch = globalThis.fetch }) {
  const reply2 = await fetch(jwksUrl ?? new URL("/.well-known/jwks.json", issuer), {
    signal: AbortSignal.timeout(1e4)
  });
  if (!reply2.ok) throw new VerificationError(`Could not read the service's keys: HTTP status ${reply2.status}`);
  return await reply2.json();
}
function json(bytes) {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value;
  } catch {
  }
  throw new VerificationError("The receipt is not a compact JWS");
}

// lib/client/refreshing-token.ts
function refreshingToken(given2) {
  const { baseUrl, clientId, clientSecret, save, fetch = globalThis.fetch } = given2;
  let { accessToken, refreshToken } = given2;
  let underWay;
  const ask2 = async (attemptsLeft = 2) => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
    if (clientSecret !== void 0) body.set("client_secret", clientSecret);
    const signal = AbortSignal.timeout(1e4);
    const url = new URL("/oauth/token", baseUrl);
    const request = { method: "POST", redirect: "manual", signal, body };
    const reply2 = await fetch(url, request).catch((cause) => unreachable(url, cause));
    if (reply2.status > 0 && reply2.status < 500 && reply2.status !== 429) return reply2;
    if (attemptsLeft === 0)
      throw reply2 instanceof Response ? new CountersignError(`Could not refresh the access token: HTTP status ${reply2.status}`, reply2.status) : reply2;
    await pause(2e3 * Math.random());
    return ask2(attemptsLeft - 1);
  };
  const renew = async () => {
    const reply2 = await ask2();
    const tokens = await reply2.json().catch(() => ({}));
    if (!reply2.ok || !tokens.access_token)
      throw new CountersignError(
        tokens.error_description ?? tokens.error ?? "Could not refresh the access token",
        reply2.status
      );
    refreshToken = tokens.refresh_token ?? refreshToken;
    await save({ accessToken: tokens.access_token, refreshToken });
    accessToken = tokens.access_token;
    return accessToken;
  };
  const renewed = () => underWay ??= renew().finally(() => {
    underWay = void 0;
  });
  return async (refused) => accessToken === void 0 || accessToken === refused ? renewed() : underWay ?? accessToken;
}

// lib/client/passkey-assertions.ts
var flag = { present: 1, verified: 4, canSync: 8, isSynced: 16, hasKey: 64, hasExtensions: 128 };
var headLength = 37;
async function verifyAssertion(assertion, { challenge, origins, rpId, publicKey }) {
  const data = bytesOf(assertion.authenticatorData);
  const clientData = bytesOf(assertion.clientDataJSON);
  const signature = bytesOf(assertion.signature);
  checkClientData(parsed(clientData), challenge, origins);
  const { flags, counter } = await readAuthenticatorData(data, rpId);
  const signed = new Uint8Array([...data, ...await sha256(clientData)]);
  if (!await hasSigned(publicKey, signature, signed))
    throw new VerificationError("The passkey's signature is invalid");
  return { counter, synced: (flags & flag.canSync) !== 0 };
}
function checkClientData(client, challenge, origins) {
  if (client.type !== "webauthn.get") throw new VerificationError("The client data's type is not webauthn.get");
  if (client.challenge !== toBase64Url(challenge))
    throw new VerificationError("The client data's challenge is not the hash of the statement");
  if (typeof client.origin !== "string" || !origins.includes(client.origin))
    throw new VerificationError("The client data's origin is not an expected origin");
  if (client.crossOrigin !== void 0 && client.crossOrigin !== false)
    throw new VerificationError("The passkey signed in a frame of another origin");
}
async function readAuthenticatorData(data, rpId) {
  const flags = data[32] ?? 0;
  const hasMore = (flags & (flag.hasKey | flag.hasExtensions)) !== 0;
  if (data.length < headLength || data.length > headLength !== hasMore)
    throw new VerificationError("The authenticator data is malformed");
  const wanted = await sha256(new TextEncoder().encode(rpId));
  if (wanted.some((byte, at) => data[at] !== byte))
    throw new VerificationError("The authenticator data is for another RP ID");
  if ((flags & flag.present) === 0) throw new VerificationError("The passkey did not check that the owner was present");
  if ((flags & flag.verified) === 0) throw new VerificationError("The passkey did not verify the owner");
  if ((flags & flag.isSynced) !== 0 && (flags & flag.canSync) === 0)
    throw new VerificationError("The authenticator data is malformed");
  return { flags, counter: new DataView(data.buffer, data.byteOffset).getUint32(33) };
}
async function hasSigned({ kty, crv, x, y, n, e }, signature, signed) {
  const verify = async (jwk, algorithm2, raw = signature) => {
    const key = await crypto.subtle.importKey("jwk", jwk, algorithm2, false, ["verify"]).catch(() => Promise.reject(new VerificationError("The passkey's public key is invalid")));
    return crypto.subtle.verify(algorithm2, key, raw, signed);
  };
  const algorithm = (name) => ({ name, hash: "SHA-256", namedCurve: "P-256" });
  if (kty === "EC" && crv === "P-256") {
    const raw = rawSignature(signature);
    return raw !== void 0 && verify({ kty, crv, x, y }, algorithm("ECDSA"), raw);
  }
  if (kty === "OKP" && crv === "Ed25519") return verify({ kty, crv, x }, algorithm("Ed25519"));
  if (kty === "RSA") return verify({ kty, n, e }, algorithm("RSASSA-PKCS1-v1_5"));
  throw new VerificationError("The passkey's public key has an unsupported type");
}
function rawSignature(der) {
  if (der[0] !== 48 || der[1] !== der.length - 2) return void 0;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const integer = der.subarray(at + 2, at + 2 + length);
    const [first = 128, second = 0] = integer;
    if (der[at] !== 2 || integer.length !== length || first >= 128 || first === 0 && second < 128) return void 0;
    const digits = first === 0 ? integer.subarray(1) : integer;
    if (digits.length > 32) return void 0;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : void 0;
}
function bytesOf(text) {
  const bytes = typeof text === "string" ? fromBase64Url(text) : void 0;
  if (!bytes) throw new VerificationError("The answer's signature is malformed");
  return bytes;
}
function parsed(clientData) {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(clientData));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
  }
  throw new VerificationError("The client data is not JSON");
}

// lib/client/signed-statement.ts
var entryMembers = ["approval", "contentHash", "option", "textHash", "values", "noteHash"];
var malformed = () => new VerificationError("The signed statement is malformed");
function parseStatement(text) {
  let value;
  try {
    value = JSON.parse(text);
    if (canonicalJson(value) !== text) value = null;
  } catch {
    value = null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new VerificationError("The signed statement is not canonical JSON");
  if (value.type !== "countersign-answer")
    throw new VerificationError("The signed statement's type is not countersign-answer");
  if (value.version !== 1) throw new VerificationError("The signed statement's version is not supported");
  if (Object.keys(value).join() !== "answers,app,issuer,offeredAt,owner,type,version") throw malformed();
  const { answers, offeredAt } = value;
  if (!Number.isSafeInteger(offeredAt) || !Array.isArray(answers)) throw malformed();
  for (const entry of answers)
    if (typeof entry !== "object" || entry === null || Array.isArray(entry)) throw malformed();
  return value;
}
async function checkEntry({ answers }, resolution, expected) {
  const [entry, other] = answers.filter(({ approval }) => approval === expected.approvalId);
  if (!entry || other) throw new VerificationError("The signed statement does not have this approval exactly once");
  const same = (name, wanted, what = "answer") => {
    if (!isSame(entry[name], wanted))
      throw new VerificationError(`The signed statement's ${name} does not match the ${what}`);
  };
  if (Object.keys(entry).some((name) => !entryMembers.includes(name))) throw malformed();
  if (entry.option === void 0 === (entry.textHash === void 0)) throw malformed();
  const { kind } = resolution;
  const [option, text, note] = [resolution.optionId, resolution.otherText, resolution.note].map(given);
  same("contentHash", expected.contentHash, "expected value");
  same("option", kind === "option" ? option : void 0);
  same("textHash", kind === "other" ? await hashed(text) : void 0);
  if ((kind === "option" ? text : option) !== void 0)
    throw new VerificationError("The answer has an option and a text, but only one of them is signed");
  same("values", resolution.values ?? void 0);
  same("noteHash", await hashed(note));
}
var given = (text) => text === null || text === "" ? void 0 : text;
function isSame(one, other) {
  if (one === void 0 || other === void 0) return one === other;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
var hashed = async (text) => text === void 0 ? void 0 : hashOf(wellFormed(text));
function wellFormed(text) {
  if (typeof text !== "string" || /\p{Surrogate}/u.test(text))
    throw new VerificationError("The answer is not valid Unicode text");
  return text;
}

// lib/client/signed-answers.ts
var types2 = {
  issuer: "a string",
  owner: "a string",
  app: "a string",
  approvalId: "a string",
  keys: "an array",
  content: "an object",
  contentHash: "a string",
  rpId: "a string",
  origins: "an array",
  askedAt: "a number",
  acceptNewKeys: "a boolean",
  lastCounter: "a number"
};
async function verifySignedAnswer(resolution, checks) {
  requireChecks("answer", checks, types2, ["issuer", "owner", "app", "approvalId", "keys"]);
  requireOneOf(checks, ["content", "contentHash"]);
  if (checks.askedAt === void 0 && checks.acceptNewKeys !== true)
    throw new TypeError('Pass "askedAt", or set "acceptNewKeys" to true');
  if (resolution.resolvedBy !== "owner") throw new VerificationError("The owner did not give this answer");
  const { signature } = resolution;
  if (!signature) throw new VerificationError("The answer has no signature of a passkey");
  const statement = parseStatement(signature.statement);
  for (const name of ["issuer", "owner", "app"])
    if (statement[name] !== checks[name])
      throw new VerificationError(`The signed statement's ${name} does not match the expected value`);
  for (const hash of await expectedHashes(checks))
    await checkEntry(statement, resolution, { approvalId: checks.approvalId, contentHash: hash });
  const key = pinnedKey(signature.credentialId, statement.offeredAt, checks);
  const issuer = new URL(checks.issuer);
  const { counter, synced } = await verifyAssertion(signature, {
    challenge: await sha256(new TextEncoder().encode(signature.statement)),
    origins: checks.origins ?? [issuer.origin],
    rpId: checks.rpId ?? issuer.hostname,
    publicKey: key.publicKey
  });
  const { lastCounter = 0 } = checks;
  if (lastCounter !== 0 && !(counter > lastCounter))
    throw new VerificationError("The passkey's counter did not increase, so a copy of the passkey may have signed");
  return {
    credentialId: key.credentialId,
    synced,
    counter,
    offeredAt: statement.offeredAt,
    yes: (optionId, values) => choseOption(resolution, optionId, values)
  };
}
async function expectedHashes({ content, contentHash: hash }) {
  return [...hash === void 0 ? [] : [hash], ...content ? [await contentHash(content)] : []];
}
function pinnedKey(credentialId, offeredAt, { keys, askedAt, acceptNewKeys }) {
  const key = keys.find((each) => each.credentialId === credentialId);
  if (!key) throw new VerificationError("The passkey is not one of the owner's keys");
  if (acceptNewKeys !== true && !(key.since <= askedAt))
    throw new VerificationError("The passkey was added after the question was asked");
  const { until } = key;
  if (until !== void 0 && !(until > offeredAt && (askedAt === void 0 || until > askedAt)))
    throw new VerificationError("The passkey was removed before the answer");
  return key;
}

// lib/client/webhooks.ts
async function verifyWebhook(body, headers, secret, { toleranceSeconds = 300, now = Date.now() } = {}) {
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map(
    (name) => header(headers, `webhook-${name}`)
  );
  if (!id || !timestamp || !signatures)
    throw new VerificationError("One of the headers webhook-id, webhook-timestamp and webhook-signature is missing");
  if (!/^\d{1,12}$/.test(timestamp)) throw new VerificationError("The header webhook-timestamp is not a Unix time");
  if (Math.abs(now / 1e3 - Number(timestamp)) > toleranceSeconds)
    throw new VerificationError("The time in the header webhook-timestamp is too far in the past or future");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const given2 = signatures.split(" ").flatMap((each) => each.startsWith("v1,") ? [fromBase64(each.slice(3))] : []);
  let proven = false;
  for (const each of [secret].flat()) {
    const raw = fromBase64(each.replace(/^whsec_/, ""));
    if (!raw || raw.length === 0) throw new VerificationError("The secret must be whsec_ followed by Base64 text");
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", raw, hmac, false, ["verify"]);
    for (const signature of given2)
      if (signature && await crypto.subtle.verify("HMAC", key, signature, signed)) proven = true;
  }
  if (!proven) throw new VerificationError("No signature in webhook-signature is valid for this webhook");
  return JSON.parse(new TextDecoder().decode(bytes));
}
function header(headers, name) {
  if (typeof headers.get === "function") return headers.get(name) ?? void 0;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : void 0;
}
function concat(a, b) {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

// lib/client/countersign.ts
var Countersign = class {
  /** The service's URL and the settings for connecting to it. */
  connection;
  calls;
  /**
   * Creates a client without sending anything.
   * @throws {TypeError} if the URL or the token is missing from both the options and the
   * environment
   */
  constructor(given2 = {}) {
    this.connection = connectionOf(given2);
    this.calls = new Calls(this.connection);
  }
  /**
   * Asks a question and waits for the answer: `if ((await client.ask(question)).yes("ship")) …`.
   * Retries after broken connections and restarts of the service, without asking twice.
   * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
   * @returns the answer, whose `values` have the types of the question's `fields`
   * @throws {CountersignError} if the service rejects the question
   */
  ask = (question) => ask(this.calls, question);
  approvals = {
    /**
     * Asks a question without waiting. To wait for the answer later, in this program or another,
     * call `wait`.
     * @returns the approval's ID
     */
    create: (question, how = {}) => this.create("/api/approvals", question, how),
    /** Returns one approval in its current state. */
    get: async (id, { signal } = {}) => this.read(approvalAt(id), {}, signal),
    /**
     * Returns this app's approvals, newest first. `await` gets one page, and `for await` gets all
     * approvals.
     */
    list: (filter = {}, { signal } = {}) => this.pages("/api/approvals", filter, signal),
    /**
     * Waits for the answer to an earlier question.
     * @throws {NoAnswerError} after `timeoutMs` or the question's deadline
     */
    wait: (id, { timeoutMs, ...how } = {}) => waitFor(this.calls, id, { until: performance.now() + (timeoutMs ?? Number.POSITIVE_INFINITY), ...how }),
    /**
     * Adds text to a pending question, for example after the owner asked for details. The text
     * appears below the question.
     */
    add: (id, text, { signal } = {}) => addContext(this.calls, id, text, signal),
    /** Reports the outcome of an answer to the owner. The latest report counts. */
    report: async (id, cameOf, { signal } = {}) => {
      await this.post(`${approvalAt(id)}/outcome`, cameOf, { signal });
    },
    /**
     * Returns the signed receipt of an answer, as the text of a compact JWS. `verifyReceipt` can
     * verify it anywhere.
     */
    receipt: async (id, { signal } = {}) => (await this.read(`${approvalAt(id)}/receipt`, {}, signal)).receipt,
    /**
     * Uses the owner's answer for one action, immediately before the action. The first use wins. The
     * service repeats its reply if a retry has the same key, which is a new one by default.
     * @param contentHash the approval's `contentHash`, so that the use is for what the owner saw
     * @param how.values the resolution's values, required if it has some
     * @returns when the answer was used, and a signed receipt of the use
     * @throws {CountersignError} with `details[0].reason`: `used`, `withdrawn`, `not_owner`,
     *   `content_mismatch` or `values_mismatch`
     */
    use: async (id, contentHash2, { values, ...how } = {}) => this.post(`${approvalAt(id)}/use`, { contentHash: contentHash2, ...values && { values } }, how),
    /**
     * Answers the app's own question. Requires the scope `approvals:resolve`. The answer is
     * recorded as given by `api`, never by the owner.
     */
    resolve: async (id, answer, how = {}) => {
      await this.post(`${approvalAt(id)}/resolve`, { kind: "optionId" in answer ? "option" : "other", ...answer }, how);
    }
  };
  notifications = {
    /** Notifies the owner of something that needs no answer. @returns the notification's ID */
    create: (notification, how = {}) => this.create("/api/notifications", notification, how),
    /** Returns one notification. */
    get: async (id, { signal } = {}) => this.read(`/api/notifications/${segment(id, "notification")}`, {}, signal),
    /**
     * Returns this app's notifications, newest first. `await` gets one page, and `for await` gets
     * all notifications.
     */
    list: (filter = {}, { signal } = {}) => this.pages("/api/notifications", filter, signal)
  };
  integrations = {
    /** Returns the linked accounts that the owner shares with this app, on one page. */
    list: ({ signal } = {}) => this.pages("/api/integrations", {}, signal)
  };
  /**
   * Returns an endless stream of the events after a given event, or of all events, oldest first:
   * `for await (const event of client.events(last))`. To miss no event, save the `id` of the last
   * event that you processed, and pass it after a restart.
   */
  async *events(after, { signal } = {}) {
    const reading = { method: "GET", path: "/api/events", waits: 60, signal, until: Number.POSITIVE_INFINITY };
    for (let cursor = after; ; ) {
      const query = { after: cursor, wait: 60 };
      const { value } = await this.calls.json({ ...reading, query });
      yield* value.data;
      cursor = value.nextCursor;
    }
  }
  /** Returns the owner's passkeys, including removed ones. Pin them, and pass them to `verifySignedAnswer`. */
  ownerKeys = ({ signal } = {}) => this.read("/api/owner/keys", {}, signal);
  /**
   * Freezes this app's access to the owner, for example after an attack. Every later call is
   * rejected with the reason `frozen` until the owner ends the freeze.
   */
  async freeze({ signal } = {}) {
    await this.post("/api/freeze", {}, { signal }).catch((error) => {
      if (!(error instanceof CountersignError && error.details.some(({ reason }) => reason === "frozen"))) throw error;
    });
  }
  async create(path, body, how) {
    return (await this.post(path, body, how)).id;
  }
  async post(path, body, { key, signal } = {}) {
    return (await this.calls.json({ method: "POST", path, body, key: key ?? crypto.randomUUID(), signal })).value;
  }
  pages(path, filter, signal) {
    return listing((cursor) => this.read(path, { ...filter, ...cursor && { cursor } }, signal));
  }
  async read(path, query, signal) {
    const values = query;
    return (await this.calls.json({ method: "GET", path, query: values, signal })).value;
  }
};
export {
  Countersign,
  CountersignError,
  NoAnswerError,
  VerificationError,
  contentHash,
  refreshingToken,
  verifyReceipt,
  verifySignedAnswer,
  verifyWebhook
};
