import { describe, expect, it } from "vitest";
import { RegistrationError, readClientMetadata } from "./client-metadata";
import { freshSeconds } from "./metadata-documents";

const home = "https://app.example/callback";
const device = "urn:ietf:params:oauth:grant-type:device_code";

/** Registration requests of existing programs, from public sources. */
const payloads: [string, object, { name: string; authMethod: string; grantTypes?: string[] }][] = [
  [
    "Cursor",
    {
      client_name: "Cursor",
      redirect_uris: [
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback",
      ],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      application_type: "web",
    },
    { name: "Cursor", authMethod: "none" },
  ],
  [
    "VS Code",
    {
      client_name: "Visual Studio Code",
      client_uri: "https://code.visualstudio.com",
      grant_types: ["authorization_code", "refresh_token", device],
      response_types: ["code"],
      redirect_uris: [
        "https://insiders.vscode.dev/redirect",
        "https://vscode.dev/redirect",
        "http://127.0.0.1/",
        "http://127.0.0.1:33418/",
      ],
      scope: "approvals:read",
      token_endpoint_auth_method: "none",
      application_type: "native",
    },
    { name: "Visual Studio Code", authMethod: "none", grantTypes: ["authorization_code", "refresh_token", device] },
  ],
  [
    "Claude",
    {
      client_name: "Claude",
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "client_secret_post",
      scope: "approvals:read approvals:write",
    },
    { name: "Claude", authMethod: "client_secret_post" },
  ],
  [
    "Claude Code",
    {
      client_name: "Claude Code (countersign)",
      redirect_uris: ["http://localhost:51763/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { name: "Claude Code", authMethod: "none" },
  ],
  [
    "ChatGPT",
    {
      client_name: "ChatGPT",
      redirect_uris: ["https://chatgpt.com/connector/oauth/Zk3v9QxT1pYd"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { name: "ChatGPT", authMethod: "none" },
  ],
  [
    "OpenCode",
    {
      client_name: "OpenCode",
      client_uri: "https://opencode.ai",
      redirect_uris: ["http://127.0.0.1:19876/mcp/oauth/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { name: "OpenCode", authMethod: "none" },
  ],
  [
    "Codex",
    {
      client_name: "Codex",
      redirect_uris: ["http://127.0.0.1:40123/callback/8f2c"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    { name: "Codex", authMethod: "none" },
  ],
  [
    "MCP Inspector",
    {
      client_name: "MCP Inspector",
      client_uri: "https://github.com/modelcontextprotocol/inspector",
      redirect_uris: ["http://127.0.0.1:6276/oauth/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "",
    },
    { name: "MCP Inspector", authMethod: "none" },
  ],
  [
    "a client with only a redirect URI",
    { redirect_uris: [home] },
    { name: "app.example", authMethod: "client_secret_basic" },
  ],
  [
    "a client with null fields",
    { redirect_uris: [home], client_name: null, grant_types: null, scope: null, token_endpoint_auth_method: null },
    { name: "app.example", authMethod: "client_secret_basic" },
  ],
];

describe("client registration", () => {
  it.each(payloads)("accepts the registration of %s", (_, payload, { name, authMethod, grantTypes }) => {
    const read = readClientMetadata(payload);
    expect(read).toMatchObject({
      name,
      authMethod,
      redirectUris: (payload as { redirect_uris: string[] }).redirect_uris,
    });
    expect(read.grantTypes).toEqual(grantTypes ?? ["authorization_code", "refresh_token"]);
  });

  it.each([
    ...["http://app.example/cb", "http://evil", "https://*.app.example/cb", "https://app.example/*"],
    ...[
      "javascript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "vbscript:x",
      "about:blank",
      "ftp://a.example/",
    ],
    ...[
      "https://app.example/cb#x",
      "https://app.example/cb#",
      "https://user@app.example/cb",
      "https://@app.example/cb",
    ],
    ...["https://10.0.0.1/cb", "https://8.8.8.8/cb", "https://[2606:4700::1]/cb", "https://0x7f000001/cb"],
    ...["http://127.0.0.1.evil.example/", "https://app.example./cb", "/callback", "", "myapp:/cb"],
  ])("names the rejected redirect URI %j in the error", (uri) => {
    const refused = expect.objectContaining({
      error: "invalid_redirect_uri",
      message: expect.stringContaining(JSON.stringify(uri)),
    });
    expect(() => readClientMetadata({ redirect_uris: [uri] })).toThrow(refused);
    expect(() => readClientMetadata({ redirect_uris: [home, uri] })).toThrow(refused);
  });

  it.each([
    ["missing", {}],
    ["an empty list", { redirect_uris: [] }],
    ["a string", { redirect_uris: home }],
    ["a list of numbers", { redirect_uris: [7] }],
    ["a list of eleven URIs", { redirect_uris: Array.from({ length: 11 }, (_, n) => `${home}/${n}`) }],
  ])("rejects client metadata whose redirect URIs are %s", (_, payload) => {
    expect(() => readClientMetadata(payload)).toThrow(expect.objectContaining({ error: "invalid_redirect_uri" }));
  });

  it.each([
    ["a list", [], "JSON object"],
    ["null", null, "JSON object"],
    ["a string", "x", "JSON object"],
    [
      "an unknown authentication method",
      { token_endpoint_auth_method: "private_key_jwt" },
      "token_endpoint_auth_method",
    ],
    ["an authentication method that is not a string", { token_endpoint_auth_method: 1 }, "token_endpoint_auth_method"],
    ["unsupported grant types", { grant_types: ["client_credentials", "password"] }, "grant_types"],
    ["only the refresh token grant type", { grant_types: ["refresh_token"] }, "grant_types"],
    ["grant types that are not a list", { grant_types: "authorization_code" }, "grant_types"],
    ["other response types", { response_types: ["token", "id_token"] }, "response_types"],
    ["a name that is not a string", { client_name: {} }, "client_name"],
    ["the service's name as the client name", { client_name: "Countersign" }, "the name of this service"],
    ["a look-alike of the service's name", { client_name: "C0untersign (x)" }, "the name of this service"],
    ["a name that claims authority", { client_name: "Official app" }, "official"],
    ["a name that mixes alphabets", { client_name: "PаyPal" }, "alphabets"],
    ["a name with full-width letters", { client_name: "ＰayPal" }, "NFKC"],
    ["a name with invisible letters", { client_name: "Pay\u200bPal" }, "invisible"],
    ["a name with a direction override", { client_name: "Pay\u202ePal" }, "invisible"],
    ["a name with an emoji", { client_name: "PayPal ✅" }, "invisible"],
    ["a name that is too long", { client_name: "x".repeat(61) }, "60"],
  ])("rejects invalid client metadata: %s", (_, payload, why) => {
    const whole =
      typeof payload === "object" && payload && !Array.isArray(payload)
        ? { redirect_uris: [home], ...payload }
        : payload;
    expect(() => readClientMetadata(whole)).toThrow(
      expect.objectContaining({ error: "invalid_client_metadata", message: expect.stringContaining(why) }),
    );
  });

  it("allows the refresh token grant unless the client declares only other grant types", () => {
    const grantsOf = (grant_types?: string[]) => readClientMetadata({ redirect_uris: [home], grant_types }).grantTypes;
    expect(grantsOf()).toEqual(["authorization_code", "refresh_token"]);
    expect(grantsOf(["authorization_code"])).toEqual(["authorization_code"]);
    expect(grantsOf(["implicit", "refresh_token", "authorization_code"])).toEqual([
      "authorization_code",
      "refresh_token",
    ]);
  });

  it("accepts a device client without a redirect URI", () => {
    expect(readClientMetadata({ client_name: "Kettle", grant_types: [device], response_types: [] })).toMatchObject({
      name: "Kettle",
      redirectUris: [],
      grantTypes: [device],
    });
  });

  it.each([
    [["http://127.0.0.1:7/cb"], "Local app"],
    [["http://localhost/cb"], "Local app"],
    [["cursor://anysphere.cursor-mcp/oauth/callback"], "cursor"],
    [["com.example.app:/oauth"], "com.example.app"],
    [["https://app.example:8443/cb"], "app.example"],
    [["https://countersign.example/cb"], "Unnamed app"],
    [[`https://${"x".repeat(60)}.example/cb`], "x".repeat(60)],
  ])("derives an app name from the redirect URIs %j: %s", (redirect_uris, name) => {
    expect(readClientMetadata({ redirect_uris }).name).toBe(name);
  });

  it("returns only known, well-formed metadata fields", () => {
    const said = {
      client_uri: "https://app.example",
      software_id: "a",
      contacts: ["a@app.example"],
      application_type: "web",
    };
    const more = {
      scope: "openid approvals:read approvals:read",
      jwks: { keys: [] },
      tos_uri: 7,
      policy_uri: "x".repeat(501),
    };
    const { echoed } = readClientMetadata({
      redirect_uris: [home],
      ...said,
      ...more,
      logo_uri: "a\0b",
      __proto__: null,
    });
    expect(echoed).toEqual({ ...said, scope: "approvals:read" });
  });

  it("throws only registration errors for malformed metadata", () => {
    for (const junk of [
      undefined,
      1,
      true,
      { redirect_uris: { length: 1 } },
      JSON.parse('{"__proto__":{"redirect_uris":["x"]}}'),
    ]) {
      expect(() => readClientMetadata(junk)).toThrow(RegistrationError);
    }
  });
});

describe("metadata document lifetime", () => {
  const now = new Date().toUTCString();
  const later = (seconds: number) => new Date(Date.parse(now) + seconds * 1000).toUTCString();
  it.each<[Record<string, string>, number]>([
    [{}, 3600],
    [{ "cache-control": "public, max-age=600" }, 600],
    [{ "cache-control": 'max-age="600"' }, 600],
    [{ "cache-control": "max-age=600", age: "500" }, 100],
    [{ "cache-control": "max-age=600, s-maxage=900" }, 900],
    [{ "cache-control": "MAX-AGE=600" }, 600],
    [{ "cache-control": "max-age=5" }, 60],
    [{ "cache-control": "max-age=0" }, 60],
    [{ "cache-control": "no-store" }, 60],
    [{ "cache-control": "no-cache, max-age=600" }, 60],
    [{ "cache-control": "max-age=9999999999" }, 86_400],
    [{ "cache-control": "max-age=600", age: "9999" }, 60],
    [{ "cache-control": "x-max-age=7, max-age=600", age: "junk" }, 600],
    [{ date: now, expires: later(1200) }, 1200],
    [{ date: now, expires: later(-5) }, 60],
    [{ date: now, expires: "0" }, 60],
    [{ date: now, expires: later(1e6) }, 86_400],
    [{ "cache-control": "max-age=600", date: now, expires: later(5) }, 600],
  ])("caches a document with the headers %j for %i seconds", (headers, seconds) =>
    expect(freshSeconds(headers)).toBe(seconds),
  );
});
