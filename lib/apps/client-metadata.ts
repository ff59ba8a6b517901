import { isScope } from "@/lib/scopes";
import { textProblem } from "@/lib/text/text-problems";
import { nameProblem } from "./app-name-checks";
import { redirectHost, redirectKind, redirectProblem } from "./redirect-uris";

/** An error with one of the error codes of RFC 7591, section 3.2.2. */
export class RegistrationError extends Error {
  constructor(
    readonly error: "invalid_redirect_uri" | "invalid_client_metadata",
    description: string,
  ) {
    super(description);
  }
}

const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";
const grantTypes = ["authorization_code", "refresh_token", deviceCode];
export const authMethods = ["none", "client_secret_basic", "client_secret_post"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** The stored data of a client that registered itself or has a metadata document. */
export type ClientMetadata = {
  name: string;
  redirectUris: string[];
  grantTypes: string[];
  authMethod: AuthMethod;
  /** Valid optional fields, which are stored and returned to the client. */
  echoed: Record<string, string | string[]>;
};

/** The optional metadata fields whose values are strings (RFC 7591 section 2). */
const echoedTexts = ["client_uri", "logo_uri", "tos_uri", "policy_uri", "software_id", "software_version"];
const echoedBounds = { max: 500 };

/**
 * Validates a client's metadata (RFC 7591 section 2), as leniently as existing clients require.
 * Null counts as absent, unknown fields and grant types are dropped, and a missing name is derived
 * from the redirect URI. A single invalid URI rejects the whole registration.
 * @throws {RegistrationError} with a message that names the problem
 */
export function readClientMetadata(input: unknown): ClientMetadata {
  const members = objectOf(input);
  const grantTypes = readGrantTypes(members);
  const redirectUris = readRedirectUris(members, grantTypes);
  const authMethod = (text(members, "token_endpoint_auth_method") ?? "client_secret_basic") as AuthMethod;
  if (!authMethods.includes(authMethod)) {
    throw wrong(`token_endpoint_auth_method must be one of ${authMethods.join(", ")}`);
  }
  const responseTypes = texts(members, "response_types");
  if (responseTypes && grantTypes.includes("authorization_code") && !responseTypes.includes("code")) {
    throw wrong("response_types must include code");
  }
  return { name: readName(members, redirectUris), redirectUris, grantTypes, authMethod, echoed: readEchoed(members) };
}

const wrong = (description: string) => new RegistrationError("invalid_client_metadata", description);
const wrongRedirect = (description: string) => new RegistrationError("invalid_redirect_uri", description);

type Members = Record<string, unknown>;

export function objectOf(input: unknown): Members {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw wrong("The client metadata must be a JSON object");
  return input as Members;
}

function text(members: Members, name: string): string | undefined {
  const value = Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined;
  if (value !== undefined && typeof value !== "string") throw wrong(`${name} must be a string`);
  return value;
}

function texts(members: Members, name: string): string[] | undefined {
  const value = Object.hasOwn(members, name) ? (members[name] ?? undefined) : undefined;
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return [...new Set(value)];
  throw wrong(`${name} must be a list of strings`);
}

/**
 * Reads the grant types. If a client lists none, it gets `authorization_code` and `refresh_token`.
 */
function readGrantTypes(members: Members): string[] {
  const listed = texts(members, "grant_types") ?? ["authorization_code", "refresh_token"];
  const known = grantTypes.filter((each) => listed.includes(each));
  if (!known.some((each) => each !== "refresh_token")) {
    throw wrong(`grant_types must include authorization_code or ${deviceCode}`);
  }
  return known;
}

function readRedirectUris(members: Members, grantTypes: string[]): string[] {
  let uris: string[];
  try {
    uris = texts(members, "redirect_uris") ?? [];
  } catch {
    throw wrongRedirect("redirect_uris must be a list of addresses");
  }
  if (uris.length === 0 && grantTypes.includes("authorization_code")) throw wrongRedirect("redirect_uris is missing");
  if (uris.length > 10) throw wrongRedirect("redirect_uris must contain at most 10 addresses");
  for (const uri of uris) {
    const problem = redirectProblem(uri);
    if (problem) throw wrongRedirect(`${JSON.stringify(uri.slice(0, 200))}: ${problem}`);
  }
  return uris;
}

/**
 * Returns the name that owners see. Some programs append our name in parentheses, as in "Claude
 * Code (countersign)". This suffix is removed if the name is invalid only because of it.
 */
function readName(members: Members, [home]: string[]): string {
  const given = text(members, "client_name")?.trim();
  if (!given) return nameOfHost(home);
  const name = nameProblem(given) ? given.replace(/ *\([^()]*\)$/, "") : given;
  const problem = nameProblem(name);
  if (problem) throw wrong(`client_name: ${problem}`);
  return name;
}

function nameOfHost(uri: string | undefined): string {
  if (uri === undefined) return "Unnamed app";
  const host = redirectKind(uri) === "loopback" ? "Local app" : redirectHost(uri).replace(/:\d*$/, "").slice(0, 60);
  return nameProblem(host) ? "Unnamed app" : host;
}

/**
 * Drops invalid optional fields instead of rejecting the registration, because nothing depends on
 * them.
 */
function readEchoed(members: Members): Record<string, string | string[]> {
  const short = (value: unknown): value is string => typeof value === "string" && !textProblem(value, echoedBounds);
  const echoed: Record<string, string | string[]> = {};
  for (const name of echoedTexts) if (short(members[name])) echoed[name] = members[name];
  if (members.application_type === "web" || members.application_type === "native") {
    echoed.application_type = members.application_type;
  }
  const { contacts, scope } = members;
  if (Array.isArray(contacts) && contacts.length <= 10 && contacts.every(short)) echoed.contacts = contacts;
  const scopes = typeof scope === "string" ? [...new Set(scope.split(" "))].filter(isScope) : [];
  if (scopes.length > 0) echoed.scope = scopes.join(" ");
  return echoed;
}
