import { beforeEach, describe, expect, it, test } from "vitest";
import { configure, unset } from "@/lib/testing/change-settings";
import { accessesOf, bucketsOf, clientFor, providerById, providers, scopesFor } from "./provider-catalog";
import { accesses } from "./providers/access-types";
import { ProviderFault } from "./providers/provider";

const set = (settings: Record<string, string> = {}) => {
  unset();
  configure({ DATABASE_URL: "postgresql://nobody@localhost/none", SECRET: "s".repeat(32), ...settings });
};
beforeEach(() => set());

const corp = { id: "corp", name: "Corp", issuer: "https://id.corp.example", clientId: "us", clientSecret: "secret" };

test("lists the missing variables of a provider that is not set up", () => {
  expect(providers().map(({ id, ready, variables }) => [id, ready, variables])).toEqual([
    ["google", false, ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"]],
    ["microsoft", false, ["MICROSOFT_CLIENT_ID", "MICROSOFT_CLIENT_SECRET"]],
    ["github", false, ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"]],
    ["mail", true, []],
  ]);
  for (const id of ["google", "nowhere"]) expect(() => clientFor(id)).toThrow(ProviderFault);
});

test("marks configured providers as ready", () => {
  set({
    GOOGLE_CLIENT_ID: "g",
    GOOGLE_CLIENT_SECRET: "s",
    GITHUB_CLIENT_ID: "h",
    GITHUB_CLIENT_SECRET: "s",
    OIDC_PROVIDERS: JSON.stringify([
      { ...corp, scopes: { "calendar.read": ["cal:r"] } },
      { ...corp, id: "uni", name: "Uni" },
    ]),
  });
  expect(providers().flatMap(({ id, ready }) => (ready ? [id] : []))).toEqual([
    "google",
    "github",
    "corp",
    "uni",
    "mail",
  ]);
  expect(providerById("corp")).toMatchObject({ name: "Corp", kind: "oauth", offers: ["calendar.read"] });
  expect(providerById("uni")?.offers).toEqual([]);
  for (const id of ["google", "github", "corp"]) expect(clientFor(id).check).toBeTypeOf("function");
});

it.each(["google", "microsoft", "github", "mail"])("rejects a custom provider with the reserved ID %s", (id) => {
  expect(() => {
    set({ OIDC_PROVIDERS: JSON.stringify([{ ...corp, id }]) });
    providers();
  }).toThrow("OIDC_PROVIDERS");
});

it.each(["corp", "https://id.corp.example/.well-known/openid-configuration"])("rejects the issuer %s", (issuer) => {
  expect(() => {
    set({ OIDC_PROVIDERS: JSON.stringify([{ ...corp, issuer }]) });
    providers();
  }).toThrow("OIDC_PROVIDERS must have a valid value at 0.issuer");
});

describe("scopes and their access", () => {
  it.each(["google", "microsoft"])("selects scopes that cover the requested access to %s", (id) => {
    for (const access of accesses)
      expect([access, accessesOf(id, scopesFor(id, [access]))]).toEqual([access, expect.arrayContaining([access])]);
    for (const access of accesses.filter((each) => each.endsWith(".read")))
      expect(accessesOf(id, scopesFor(id, [access]))).toEqual([access]);
    expect(scopesFor(id, [])).toEqual([]);
  });

  const google = (name: string) => `https://www.googleapis.com/auth/${name}`;
  it.each([
    ["google", ["https://mail.google.com/"], ["mail.read", "mail.write"]],
    ["google", [google("gmail.metadata")], ["mail.read"]],
    ["google", [google("gmail.compose")], ["mail.write"]],
    ["google", [google("calendar")], ["calendar.read", "calendar.write"]],
    ["google", [google("calendar.events.readonly")], ["calendar.read"]],
    ["google", [google("contacts.other.readonly"), google("directory.readonly")], ["contacts.read"]],
    ["google", [google("spreadsheets")], ["files.read", "files.write"]],
    ["google", [google("userinfo.email"), google("youtube"), "openid", google("calendarish")], []],
    ["google", ["https://evil.example/auth/calendar", `x${google("calendar")}`], []],
    ["microsoft", ["Mail.ReadBasic", "People.Read"], ["mail.read", "contacts.read"]],
    ["microsoft", ["https://graph.microsoft.com/Calendars.ReadWrite"], ["calendar.read", "calendar.write"]],
    ["microsoft", ["files.read.all", "Sites.FullControl.All"], ["files.read", "files.write"]],
    ["microsoft", ["User.Read", "Mailbox.Read", "https://evil.example/Mail.Read"], []],
    ["github", ["repo", "mail:read"], []],
    ["mail", ["imap"], ["mail.read"]],
    ["mail", ["imap", "smtp"], ["mail.read", "mail.write"]],
    ["nowhere", ["mail:read"], []],
  ])("maps the %s scopes %j to access types", (id, scopes, expected) => {
    expect(accessesOf(id, scopes)).toEqual(expected);
    expect(bucketsOf(id, scopes)).toEqual(["identity", ...new Set(expected.map((access) => access.split(".")[0]))]);
  });

  test("treats custom access as granted only if all required scopes are granted", () => {
    const scopes = { "calendar.read": ["cal:r"], "calendar.write": ["cal:r", "cal:w"] };
    set({ OIDC_PROVIDERS: JSON.stringify([{ ...corp, scopes }]) });
    expect(scopesFor("corp", ["calendar.write", "calendar.read", "mail.read"])).toEqual(["cal:r", "cal:w"]);
    expect(accessesOf("corp", ["cal:w"])).toEqual([]);
    expect(accessesOf("corp", ["cal:w", "cal:r"])).toEqual(["calendar.read", "calendar.write"]);
  });
});
