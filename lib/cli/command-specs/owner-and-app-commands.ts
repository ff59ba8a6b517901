import { appEventTypes } from "@/lib/event-feed/event-type-names";
import { scopeNames } from "@/lib/scopes";
import type { OptionSpec, SectionSpec } from "./command-spec";

const owner: OptionSpec = { value: "email", about: "the owner who registers the app", needed: true };
const onlyOf = (records: string): OptionSpec => ({
  value: "email",
  about: `list only this owner's ${records}`,
  otherwise: `every owner's ${records}`,
});
const opens: OptionSpec = {
  value: "resource",
  about: "the resource that the token works for",
  choices: ["api", "mcp"],
  default: "api",
};
const webhook = { id: { about: 'the webhook\'s ID, from "webhook list"' } };

export const access: SectionSpec = {
  title: "Owners and apps",
  nouns: {
    owner: "Owners' accounts",
    app: "Apps that ask questions",
    token: "Tokens for calling the API",
    grant: "Apps' permissions",
    webhook: "Endpoints that receive events",
  },
  commands: {
    "owner create": {
      about: "Create an owner's account.",
      more: "The command reads the password from the first line of stdin, so that other users of the computer cannot see the password. The owner does not need to confirm the email address.",
      options: {
        email: { value: "email", about: "the owner's email for signing in", needed: true },
        name: { value: "name", about: "the owner's name", needed: true },
        "password-stdin": { about: "read the password from stdin", needed: true },
      },
      example: "owner create --email you@example.com --name You --password-stdin < password.txt",
      load: async () => (await import("../owner-commands")).createOwnerCommand,
    },
    "owner list": {
      about: "List the owners' accounts.",
      example: "owner list",
      load: async () => (await import("../owner-commands")).listOwnersCommand,
    },
    "owner reset": {
      about: "Print a link that lets a locked-out owner set a new password.",
      more: "The link works once and expires after an hour.",
      words: { email: { about: "the owner's email" } },
      example: "owner reset you@example.com",
      load: async () => (await import("../owner-commands")).resetOwnerCommand,
    },
    "owner freeze": {
      about: "Freeze all apps of an owner, for example after a token leaked.",
      more: "Every request of the owner's apps is rejected, and no question is answered, until the owner unfreezes the apps. Tokens and questions stay.",
      words: { email: { about: "the owner's email" } },
      example: "owner freeze you@example.com",
      load: async () => (await import("../owner-commands")).freezeOwnerCommand,
    },
    "owner export": {
      about: "Write all data of an owner to stdout, to import it into another database.",
      more: "Stop the service first. The file contains the owner's account, settings, apps, permissions, linked accounts, questions with answers, and notifications. It also contains hashes of the password and of tokens, so keep the file secret. The import needs the same SECRET and INTEGRATION_KEYS.",
      words: { email: { about: "the owner's email" } },
      example: "owner export you@example.com > you.countersign",
      load: async () => (await import("../owner-file/owner-file-commands")).exportOwnerCommand,
    },
    "owner import": {
      about: "Create an owner with the data in a file from owner export.",
      more: "The command creates everything in one transaction, or nothing. First import the owners who registered apps that other owners use. Import all owners before the service starts, and before homes move to other shards.",
      words: { file: { about: "the file" } },
      example: "owner import you.countersign",
      load: async () => (await import("../owner-file/owner-file-commands")).importOwnerCommand,
    },
    "app create": {
      about: "Register an app for an owner. Owners can also register apps on the Developer page.",
      more: "The command prints the app's client ID and, for a confidential app, its client secret. The secret is shown only once.",
      options: {
        owner,
        name: { value: "name", about: "the app's name, which owners see", needed: true },
        "redirect-uri": { value: "uri", about: "a redirect URI for OAuth", many: true },
        public: { about: "do not create a client secret (for apps that cannot keep a secret, such as mobile apps)" },
        token: { about: "create a token and print only the token" },
        scope: {
          value: "scope",
          about: "with --token, a scope of the token",
          otherwise: "approvals:write and approvals:read",
          many: true,
          choices: scopeNames,
        },
        for: opens,
      },
      example: 'app create --owner you@example.com --name "Deploy bot" --token',
      load: async () => (await import("../app-commands")).createAppCommand,
    },
    "app list": {
      about: "List the apps that owners registered.",
      options: { owner: onlyOf("apps") },
      example: "app list --owner you@example.com",
      load: async () => (await import("../app-commands")).listAppsCommand,
    },
    "token create": {
      about: "Create a personal token for an app.",
      more: "The owner must have registered the app or granted the app access. The token is shown only once.",
      options: {
        owner: { value: "email", about: "the owner who answers the app's questions", needed: true },
        app: { value: "client-id", about: "the app that uses the token", needed: true },
        scope: { value: "scope", about: "a scope of the token", needed: true, many: true, choices: scopeNames },
        for: opens,
        days: { value: "days", about: "the number of days until the token expires, at most 366", default: "90" },
        name: { value: "name", about: "the token's name on the owner's Apps page", otherwise: "none" },
      },
      example: "token create --owner you@example.com --app app_… --scope approvals:write --scope approvals:read",
      load: async () => (await import("../token-commands")).createTokenCommand,
    },
    "token revoke": {
      about: "Revoke a token. The service then rejects requests with the token.",
      words: { "token-or-id": { about: 'the token, or the token\'s ID from "grant list"' } },
      example: "token revoke tok_…",
      load: async () => (await import("../token-commands")).revokeTokenCommand,
    },
    "grant list": {
      about: "List each app's permissions and the IDs of the app's tokens.",
      options: { owner: onlyOf("permissions") },
      example: "grant list --owner you@example.com",
      load: async () => (await import("../grant-commands")).listGrantsCommand,
    },
    "webhook add": {
      about: "Add a webhook that sends an app's events to a URL.",
      more: "The command prints the webhook's ID and its signing secret. The secret is shown only once.",
      options: {
        owner: { value: "email", about: "the owner who registered the app", needed: true },
        app: { value: "client-id", about: "the app whose events the webhook receives", needed: true },
        url: { value: "url", about: "the public https URL that receives the events", needed: true },
        type: {
          value: "type",
          about: "send only events of this type",
          otherwise: "all types, including future ones",
          many: true,
          choices: appEventTypes,
        },
        description: { value: "text", about: "a note for the owner", otherwise: "none" },
      },
      example: "webhook add --owner you@example.com --app app_… --url https://app.example.com/hooks",
      load: async () => (await import("../webhook-commands")).addWebhookCommand,
    },
    "webhook list": {
      about: "List the webhooks and each webhook's status.",
      options: { owner: onlyOf("webhooks") },
      example: "webhook list",
      load: async () => (await import("../webhook-commands")).listWebhooksCommand,
    },
    "webhook rotate": {
      about:
        "Replace a webhook's signing secret. For 24 hours, the service signs events with both the old and the new secret.",
      words: webhook,
      example: "webhook rotate whk_…",
      load: async () => (await import("../webhook-commands")).rotateWebhookCommand,
    },
    "webhook remove": {
      about: "Remove a webhook. The service then sends no more events to the webhook's URL.",
      words: webhook,
      example: "webhook remove whk_…",
      load: async () => (await import("../webhook-commands")).removeWebhookCommand,
    },
    "webhook test": {
      about: "Send a test event to a webhook's endpoint and print the result.",
      words: webhook,
      statuses: { 1: "the endpoint did not return a 2xx status, or the command failed (stderr has the reason)" },
      example: "webhook test whk_…",
      load: async () => (await import("../webhook-commands")).testWebhookCommand,
    },
  },
};
