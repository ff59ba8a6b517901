import { appEventTypes } from "@/lib/event-feed/type-names";
import { scopeNames } from "@/lib/scopes";
import type { OptionSpec, SectionSpec } from "./offer";
import { database } from "./variables";

const owner: OptionSpec = { value: "email", about: "the owner it belongs to", needed: true };
const onlyOf: OptionSpec = { value: "email", about: "list only this owner’s", otherwise: "every owner’s" };
const opens: OptionSpec = {
  value: "resource",
  about: "what the token opens",
  choices: ["api", "mcp"],
  default: "api",
};
const webhook = { id: { about: "the webhook’s id, from “webhook list”" } };

export const access: SectionSpec = {
  title: "Owners and apps",
  nouns: {
    owner: "Owners’ accounts",
    app: "Apps that ask",
    token: "Tokens for calling the API",
    grant: "What owners allow apps",
    webhook: "Addresses that receive events",
  },
  commands: {
    "owner create": {
      about: "Create an account.",
      more: "The password is the first line of stdin, where other users of the computer cannot see it. The e-mail counts as confirmed.",
      options: {
        email: { value: "email", about: "the e-mail address the owner signs in with", needed: true },
        name: { value: "name", about: "the owner’s name", needed: true },
        "password-stdin": { about: "read the password from stdin", needed: true },
      },
      reads: database,
      example: "owner create --email you@example.com --name You --password-stdin < password.txt",
      load: async () => (await import("../owner")).createOwnerCommand,
    },
    "owner list": {
      about: "List the accounts.",
      reads: database,
      example: "owner list",
      load: async () => (await import("../owner")).listOwnersCommand,
    },
    "owner reset": {
      about: "Print a link for an owner who is locked out.",
      more: "It works once, within an hour, and leads to a new password.",
      words: { email: { about: "the owner’s e-mail address" } },
      reads: [...database, "PUBLIC_URL", "PORT"],
      example: "owner reset you@example.com",
      load: async () => (await import("../owner")).resetOwnerCommand,
    },
    "app create": {
      about: "Register an app for an owner, as their Developer page does.",
      more: "Prints its client id and, of an app that keeps secrets, its client secret: shown only now.",
      options: {
        owner,
        name: { value: "name", about: "the name owners see", needed: true },
        "redirect-uri": { value: "uri", about: "where OAuth may send owners back to", many: true },
        public: { about: "for an app that cannot keep a secret, on a phone or in a browser: it gets none" },
        token: { about: "create a token, and print it alone" },
        scope: {
          value: "scope",
          about: "with --token: what the token may do",
          otherwise: "approvals:write and approvals:read",
          many: true,
          choices: scopeNames,
        },
        for: opens,
      },
      reads: database,
      example: 'app create --owner you@example.com --name "Deploy bot" --token',
      load: async () => (await import("../app")).createAppCommand,
    },
    "app list": {
      about: "List the apps that owners registered.",
      options: { owner: onlyOf },
      reads: database,
      example: "app list --owner you@example.com",
      load: async () => (await import("../app")).listAppsCommand,
    },
    "token create": {
      about: "Create a personal token for an app.",
      more: "For an app that the owner registered or let in. Shown only now.",
      options: {
        owner: { value: "email", about: "the owner it asks", needed: true },
        app: { value: "client-id", about: "the app that uses it", needed: true },
        scope: { value: "scope", about: "what it may do", needed: true, many: true, choices: scopeNames },
        for: opens,
        days: { value: "days", about: "how long it works, at most 366", default: "90" },
        name: { value: "name", about: "a name for the owner’s Apps page", otherwise: "none" },
      },
      reads: database,
      example: "token create --owner you@example.com --app app_… --scope approvals:write --scope approvals:read",
      load: async () => (await import("../token")).createTokenCommand,
    },
    "token revoke": {
      about: "Revoke a token. Its next call is refused.",
      words: { "token-or-id": { about: "the token itself, or its id from “grant list”" } },
      reads: database,
      example: "token revoke tok_…",
      load: async () => (await import("../token")).revokeTokenCommand,
    },
    "grant list": {
      about: "List what owners allow which apps, with the ids of tokens.",
      options: { owner: onlyOf },
      reads: database,
      example: "grant list --owner you@example.com",
      load: async () => (await import("../grant")).listGrantsCommand,
    },
    "webhook add": {
      about: "Send an app’s events to an address.",
      more: "Prints the webhook’s id and its signing secret: shown only now.",
      options: {
        owner: { value: "email", about: "the owner who registered the app", needed: true },
        app: { value: "client-id", about: "the app whose events to send", needed: true },
        url: { value: "url", about: "where to send them: https, and reachable from anywhere", needed: true },
        type: {
          value: "type",
          about: "send only events of this type",
          otherwise: "all, also those to come",
          many: true,
          choices: appEventTypes,
        },
        description: { value: "text", about: "a note for the owner", otherwise: "none" },
      },
      reads: [...database, "ALLOW_PRIVATE_FETCH"],
      example: "webhook add --owner you@example.com --app app_… --url https://app.example.com/hooks",
      load: async () => (await import("../webhook")).addWebhookCommand,
    },
    "webhook list": {
      about: "List the webhooks and whether they work.",
      options: { owner: onlyOf },
      reads: database,
      example: "webhook list",
      load: async () => (await import("../webhook")).listWebhooksCommand,
    },
    "webhook rotate": {
      about: "Replace a signing secret. The old one also signs for a day.",
      words: webhook,
      reads: database,
      example: "webhook rotate whk_…",
      load: async () => (await import("../webhook")).rotateWebhookCommand,
    },
    "webhook remove": {
      about: "Remove a webhook.",
      words: webhook,
      reads: database,
      example: "webhook remove whk_…",
      load: async () => (await import("../webhook")).removeWebhookCommand,
    },
    "webhook test": {
      about: "Send a test event and say how it went.",
      words: webhook,
      reads: [...database, "ALLOW_PRIVATE_FETCH"],
      statuses: { 1: "not accepted with a 2xx, or could not be done; stderr says why" },
      example: "webhook test whk_…",
      load: async () => (await import("../webhook")).testWebhookCommand,
    },
  },
};
