import type { ServiceSettings } from "./env";

/*
 * Descriptions of the operator's settings, as Markdown with links relative to docs/. From these
 * texts and the declared defaults, `npm run derive` writes docs/configuration.md and .env.example.
 * A setting without a description does not compile.
 */
export const settingTexts: Readonly<Record<keyof ServiceSettings, string>> = {
  PORT: "The port to listen on. With `0`, the service picks a free port.",
  HOST: "The address to listen on. With `0.0.0.0`, the service listens on every IPv4 address of the computer.",
  PUBLIC_URL:
    "The URL where owners and apps reach the service, without a path. Behind a proxy that terminates TLS, set the proxy's `https://` address. If not set, the service uses `http://localhost:PORT`.",
  DATA_DIR:
    "The folder of the embedded database and the generated secret. Other users of the computer cannot read the folder. The service does not need the folder if `DATABASE_URL` and `SECRET` are both set.",
  DATABASE_URL:
    "The address of your own PostgreSQL, 14 or later: `postgresql://user:password@host:5432/database`. If not set, the service runs an embedded PostgreSQL. The URL can list [several servers](operations.md#several-servers-of-a-cluster) of a cluster. The service then uses the server that accepts writes. Example: `postgresql://user:password@one:5432,two:5432/database?target_session_attrs=read-write`.",
  DATABASE_DIRECT_URL:
    "The database's own address, if `DATABASE_URL` leads to a [connection pooler](operations.md#connection-poolers) in transaction mode. The service uses this address for migrations and for messages between instances. The pooler must be PgBouncer 1.21 or later with `max_prepared_statements` above 0.",
  SHARDS:
    "Further PostgreSQL databases that store owners, each as `NAME=URL`, separated by spaces: `two=postgresql://user:password@host:5432/database`. The database at `DATABASE_URL` is the shard `main`. Every instance needs the same shards. The service uses a shard after `countersign shards add`. Use each database's own address, not that of a connection pooler in transaction mode.",
  SHARD_ROUTER:
    "`spqr` if [SPQR's router](operations/spqr.md) is at `DATABASE_URL`. Then `SHARDS` and `DATABASE_DIRECT_URL` contain the databases' own addresses. If not set, the service connects to each shard itself.",
  DATABASE_WAIT: "The number of seconds to wait at startup for an unavailable database, 0 to 3600.",
  MIGRATE:
    "Whether the service applies migrations when it starts: `on` or `off`. With `off`, run `npm run -s countersign -- migrate` first (see [Upgrades](operations/upgrades.md#migrations-as-a-step-of-their-own)). The service does not start if a migration is missing.",
  DATABASE_POOL:
    "The maximum number of connections in each instance's database pool, 2 to 200. Each instance opens one more connection for messages from other instances.",
  DRAIN_DELAY:
    "The number of seconds to keep serving requests after SIGTERM, 0 to 300. During this time, `/readyz` returns 503. Set the delay to at least the time that your load balancer needs to stop sending requests.",
  METRICS_PORT:
    "The separate port where [Prometheus](monitoring.md#prometheus) reads metrics. With `0`, the service picks a free port. Requests for metrics need no sign-in. If not set, the service serves no metrics.",
  METRICS_HOST: "The address on which the service listens for metrics requests.",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "The address that receives traces and metrics through OpenTelemetry (OTLP over HTTP), like `http://127.0.0.1:4318`. If not set, the service sends no traces or metrics. The service also reads other `OTEL_` variables (see [Monitoring](monitoring.md#opentelemetry)).",
  LOG_LEVEL: "The lowest level that the [log](monitoring.md#log) contains: `info`, `warn` or `error`.",
  ACCESS_LOG: "Whether the service logs a line for each finished request: `on` or `off`.",
  SECRET:
    "The secret from which the service derives its keys. Use at least 32 characters, and the same secret for every instance. If not set, the service generates a secret once and stores the secret in `DATA_DIR/secret`. To replace the secret, follow [Replace SECRET](operations.md#replace-secret). With another secret alone, the service does not start.",
  SECRET_PREVIOUS:
    "A second secret that the service accepts but does not use for new values. Set `SECRET_PREVIOUS` only while you [replace SECRET](operations.md#replace-secret).",
  SETUP_TOKEN:
    "The token in the setup link for the first account. Use at least 16 characters. If not set, the service derives the token from the secret.",
  SIGNUPS:
    "Whether people can create their own accounts: `open` or `closed`. The operator can always create accounts with `owner create`.",
  RATE_LIMIT:
    "The average number of requests per second that each app can make for each owner. `RATE_BURST` allows bursts above the average. `0` means no limit.",
  RATE_BURST:
    "The number of requests that each app can make for each owner in one burst. The allowance then refills at `RATE_LIMIT` requests per second. If `RATE_LIMIT` is `0`, `RATE_BURST` has no effect.",
  MAX_PENDING: "The maximum number of pending approvals for each app and owner. `0` means no limit.",
  REGISTRATION_LIMIT:
    "The maximum number of attempts per hour to register apps from one IP address (for IPv6, one /64 network). Rejected attempts also count. `0` means no limit.",
  RETENTION_EVENTS:
    "The number of days to keep events, like `90d`, at least `7d`. Older events move to their owner's archive (see [Retention](operations.md#retention)). If not set, the service keeps events forever.",
  RETENTION_ANSWERED:
    "The number of days to keep answered approvals, in the format of `RETENTION_EVENTS`. Older approvals move to their owner's archive. If not set, the service keeps approvals forever.",
  ALLOW_PRIVATE_FETCH:
    "Origins that can have a private address or no TLS, like `http://127.0.0.1:8080`. Use this setting for development or your own network. Separate several origins with spaces. The setting applies to client metadata documents, push services, webhooks, alert channels (ntfy, Gotify, signed webhooks) and linked accounts. All other URLs from owners and apps must use https and a public address. For a mail server at a private address, include the port. With implicit TLS, use `imaps://mail.home:993` or `smtps://mail.home:465`. With STARTTLS, use `imap://mail.home:143` or `smtp://mail.home:587`.",
  LENS_ORIGINS:
    "Origins other than `PUBLIC_URL` at which owners can sign answers with a [lens](lens.md), like `https://lens.example.com`. Separate several origins with spaces. The service publishes the origins at `/.well-known/webauthn` and accepts signatures from them. A page at such an origin can ask for passkeys of the service, so list only origins that you trust. Browsers accept origins of at most five different sites.",
  UNDO_SECONDS:
    "The number of seconds during which owners can undo an answer: `0`, `5`, `10` or `30`. The app can read the answer after this time, or after the owner sends the answer early. Owners can choose another number in Settings.",
  TRUST_PROXY:
    "The number of proxies in front of the service. The service reads the caller's address from the entries that these proxies add to `X-Forwarded-For`. With `0` behind a proxy, all callers count as one caller, and the log shows a warning.",
  SMTP_URL:
    "The mail server: `smtp://user:password@host:587` (TLS if the server offers TLS) or `smtps://…:465` (implicit TLS). Also set `MAIL_FROM`. Owners with a confirmed address can then sign in by email link. By default, these owners get email about open questions, failed sign-ins and new devices. Owners can also turn on answers from emails.",
  MAIL_FROM: "The sender of emails, like `Countersign <yes@example.com>`.",
  SECURITY_CONTACT:
    "The contact for vulnerability reports about this installation: `mailto:security@example.com`, or the `https://` address of a page. The service publishes the contact at `/.well-known/security.txt`.",
  GOOGLE_CLIENT_ID:
    "The client ID of your Google OAuth client. Owners can link a provider's accounts after you set the provider's client ID and client secret (see [Integrations](integrations.md)).",
  GOOGLE_CLIENT_SECRET: "The client secret of your Google OAuth client.",
  MICROSOFT_CLIENT_ID: "The client ID of your Microsoft app registration.",
  MICROSOFT_CLIENT_SECRET: "The client secret of your Microsoft app registration.",
  MICROSOFT_TENANT:
    "The Microsoft tenant whose accounts owners can link: `common`, `organizations`, `consumers`, or a tenant's ID.",
  GITHUB_CLIENT_ID: "The client ID of your GitHub OAuth app or GitHub App.",
  GITHUB_CLIENT_SECRET: "The client secret of your GitHub OAuth app or GitHub App.",
  GITHUB_URL: "GitHub's address. For GitHub Enterprise Server, set your server's address.",
  TELEGRAM_API_URL:
    "The address of Telegram's Bot API, for owners' [alert channels](owners.md#alert-channels). To use your own Bot API server or a proxy, set the address of the server or proxy.",
  SLACK_API_URL: "The address of Slack's Web API, for alert channels. For GovSlack, set `https://slack-gov.com`.",
  OIDC_PROVIDERS:
    'Other OpenID Connect providers, as JSON: `[{"id":"corp","name":"Corp","issuer":"https://id.corp.example","clientId":"…","clientSecret":"…","scopes":{"calendar.read":["cal:r"]}}]`. The field `scopes` lists the scopes that the provider requires for each type of access, like `calendar.read`. The redirect URI ends with the ID of the provider: `…/integrations/callback/corp`.',
  INTEGRATION_KEYS:
    "Keys, stored outside the database, that protect the secrets of linked accounts, webhooks and alert channels. Every instance needs the same keys. Write each key as `name:KEY`, where `KEY` is 32 random bytes in Base64. Put the active key first, and separate keys with spaces. If not set, the service derives a key from the secret. Set a key before you run `secret replace` (see [Keys](operations.md#keys)).",
  RECEIPT_KEY_DAYS:
    "The number of days after which a new key signs [receipts](receipts.md#keys), 0 to 3650. Former keys still verify receipts. `0` means that the operator replaces the key with `receipts rotate`.",
  WEBHOOK_SCHEDULE:
    "The delays before the attempts to deliver an event to a webhook, in seconds and separated by commas. The first delay starts at the event, and each later delay starts at the previous attempt. The service adds up to 10% to each delay. An endpoint that responds with 429 or 503 can lengthen a delay with `Retry-After`, up to one day. Use delays shorter than the default delays only in tests.",
};
