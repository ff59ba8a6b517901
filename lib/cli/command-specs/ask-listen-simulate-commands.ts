import { appEventTypes } from "@/lib/event-feed/event-type-names";
import type { SectionSpec } from "./command-spec";

const connects =
  "Set COUNTERSIGN_TOKEN to the app's token, and COUNTERSIGN_URL to the service's URL (default: PUBLIC_URL, or http://localhost:PORT).";

export const asking: SectionSpec = {
  title: "Ask and test",
  nouns: {},
  commands: {
    ask: {
      about: "Ask the owner a question from a script.",
      more: `Without --wait, the command prints the approval's ID. With --wait, the command prints the chosen option's ID or the owner's own words. If the option takes fields, each value follows on a line NAME=VALUE. ${connects} Tests can set COUNTERSIGN_ALLOW_SIMULATED=1 instead of using --allow-simulated.`,
      words: { question: { about: "the question for the owner" } },
      options: {
        option: { value: "id", about: "an option that the owner can choose", needed: true, many: true },
        label: { value: "id=text", about: "the text of an option", otherwise: "the option's ID", many: true },
        fact: {
          value: "label=value",
          about: 'one of up to six facts that the owner reads first, such as "Amount=86.40 €"',
          many: true,
        },
        field: {
          value: "name=type:value",
          about:
            'a value that the owner fills in, such as "amount=money:EUR:86.40", "when=date", "express=boolean:false" or "account=choice:giro|savings"; with "note?=text", the value is optional',
          many: true,
        },
        "fields-for": {
          value: "id",
          about: "an option that takes the fields",
          otherwise: "the first option",
          many: true,
        },
        context: { value: "file", about: "a Markdown file with background information for the owner, or - for stdin" },
        recommend: { value: "text", about: "your recommendation, as an option's ID or label, or as other text" },
        risk: { value: "level", about: "the risk of the decision", choices: ["low", "normal", "high"] },
        match: { about: "with --risk high, print a number that the owner must pick before answering" },
        danger: { value: "id", about: "an option to mark as dangerous", many: true },
        wait: { about: "wait for the answer and print it" },
        timeout: { value: "seconds", about: "with --wait, the maximum time to wait", otherwise: "no limit" },
        expect: { value: "id", about: "with --wait, exit with status 0 only if the owner chooses this option" },
        "allow-simulated": { about: 'accept an answer from "countersign simulate", for tests' },
        key: {
          value: "key",
          about:
            "the idempotency key, which keeps a repeated command from submitting a second question within 24 hours",
          otherwise: "a new key",
        },
      },
      statuses: {
        0: "without --wait, the question was submitted; with --wait, the owner chose an option; with --expect, the owner chose the expected option",
        1: "the service rejected the question, or the connection failed",
        3: "an app answered through the API, or the answer is simulated",
        4: "the owner did not answer in time",
        5: "the owner answered in their own words",
        6: "the owner chose an option other than --expect",
      },
      example: 'ask "Ship build 418?" --option ship --option wait --wait --expect ship',
      load: async () => (await import("../remote/ask")).askCommand,
    },
    listen: {
      about: "Forward an app's events as webhooks to a receiver that you develop on your computer.",
      more: `The command prints the signing secret, and forwards new events until you press Ctrl-C. The service can run on another computer. The app needs no webhook. ${connects}`,
      options: {
        "forward-to": {
          value: "url",
          about: "the URL that receives the events, such as http://localhost:4242/hooks",
          needed: true,
        },
        type: {
          value: "type",
          about: "forward only events of this type",
          otherwise: "all types that the token's scopes allow",
          many: true,
          choices: appEventTypes,
        },
        token: { value: "token", about: "the app's token", otherwise: "COUNTERSIGN_TOKEN" },
      },
      example: "listen --forward-to http://localhost:4242/hooks",
      load: async () => (await import("../remote/listen")).listenCommand,
    },
    simulate: {
      about: "Answer an owner's questions by rules, for automated tests.",
      more: 'The command answers until you press Ctrl-C. Every answer\'s note begins with "Simulated: rule". Questions that the owner has to sign stay unanswered.',
      options: {
        owner: { value: "email", about: "the owner whose questions the command answers", needed: true },
        app: {
          value: "client-id",
          about: "answer only this app's questions",
          otherwise: "every app; required with --allow-remote",
          many: true,
        },
        rules: { value: "file", about: "a JSON file of rules (the first matching rule answers)", needed: true },
        "allow-remote": { about: "also answer on a service that other computers can reach" },
      },
      example: "simulate --owner you@example.com --app app_… --rules rules.json",
      load: async () => (await import("../simulate-owner-command")).simulateCommand,
    },
    verify: {
      about: "Verify a receipt or a signed answer.",
      more: "A receipt proves an answer as far as you trust the service. With --keys, the command verifies that the owner's passkey signed exactly this answer, and the proof does not depend on the service. Pin the keys before you need them: GET /api/owner/keys returns them. The command needs no account and no token. For a receipt without --jwks, the command reads the service's keys over the network. Take the expected values from your own records.",
      words: {
        file: { about: "a file with a receipt, or with an approval in the API's JSON, or - for stdin" },
      },
      options: {
        issuer: { value: "url", about: "the service's URL", otherwise: "COUNTERSIGN_URL" },
        keys: {
          value: "file",
          about: "the owner's passkeys that you pinned, in the format of GET /api/owner/keys; required for an approval",
        },
        "asked-at": {
          value: "time",
          about: "with --keys, when the app asked; a passkey that was added later is rejected",
        },
        "accept-new-keys": { about: "with --keys, also accept passkeys that were added after the question" },
        app: { value: "client-id", about: "the client ID that you expect" },
        owner: { value: "id", about: "the owner's ID that you expect", otherwise: "the owner of --keys" },
        approval: { value: "id", about: "the approval's ID that you expect" },
        content: { value: "file", about: "the question that you expect, as JSON of the request that submitted it" },
        option: { value: "id", about: "exit with status 0 only if the owner chose this option" },
        jwks: {
          value: "file",
          about: "the service's keys for receipts",
          otherwise: "the keys at /.well-known/jwks.json of the issuer",
        },
        "received-at": { value: "time", about: "when you got a stored receipt" },
        "rp-id": {
          value: "host",
          about: "the RP ID of the passkeys",
          otherwise: "that of --keys, or the issuer's host",
        },
        origin: {
          value: "origin",
          about: "an origin on which the owner may sign",
          otherwise: "those of --keys, or the issuer's origin",
          many: true,
        },
        "allow-simulated": { about: 'accept an answer from "countersign simulate", for tests' },
      },
      statuses: { 0: "the answer is verified", 1: "the answer is not verified (stderr has the reason)" },
      example:
        "verify receipt.txt --issuer https://yes.example.com --keys owner-keys.json --asked-at 2026-11-27T09:30:00Z",
      load: async () => (await import("../verify/verify-command")).verifyCommand,
    },
  },
};
