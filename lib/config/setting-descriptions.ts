import type { ServiceSettings } from "./env";

/*
 * The operator's settings in words, as Markdown with links from docs/. From these texts and the
 * declared defaults, `npm run derive` writes docs/configuration.md and .env.example. A setting
 * without a text does not compile.
 */
export const settingTexts: Readonly<Record<keyof ServiceSettings, string>> = {
  PORT: "The port to listen on. `0` picks a free port.",
  HOST: "The address to listen on. `0.0.0.0` listens on every interface.",
  PUBLIC_URL:
    "The URL where owners and apps reach the service: an origin without a path. Behind a proxy that terminates TLS, use the proxy's `https://` address. The default is `http://localhost:PORT`.",
  DATA_DIR:
    "The folder of the embedded database and the generated secret. Other users of the computer cannot read the folder. The service does not need the folder if `DATABASE_URL` and `SECRET` are set.",
  DATABASE_URL:
    "Your own PostgreSQL, 14 or later, instead of the embedded database: `postgresql://user:password@host:5432/database`. The URL can list [several servers](operations.md#several-servers-of-a-cluster) of a cluster. The service uses the server that accepts writes: `postgresql://user:password@one:5432,two:5432/database?target_session_attrs=read-write`.",
  DATABASE_DIRECT_URL:
    "The address of the same database without the [connection pooler](operations.md#connection-poolers) that `DATABASE_URL` leads to. The service uses this address for migrations and for messages between instances. Set `DATABASE_DIRECT_URL` only for a pooler in transaction mode: PgBouncer 1.21 or later with `max_prepared_statements` above 0.",
  DATABASE_WAIT: "Seconds to wait at startup for a database that is unavailable, 0 to 3600.",
  MIGRATE:
    "Whether the service applies migrations when it starts: `on` or `off`. With `off`, run `npm run -s countersign -- migrate` before you start the service. The service starts only on a database that is up to date (see [Upgrades](operations/upgrades.md#migrations-as-a-step-of-their-own)).",
  DATABASE_POOL: "The maximum number of database connections of an instance, 2 to 200.",
  DRAIN_DELAY:
    "Seconds to keep serving after SIGTERM while `/readyz` returns 503, 0 to 300. Set the time that your load balancer needs to stop sending requests.",
  METRICS_PORT:
    "The separate port where [Prometheus](monitoring.md#prometheus) reads metrics. `0` picks a free port. Requests for metrics need no sign-in. Metrics are off by default.",
  METRICS_HOST: "The address to listen on for metrics.",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "The address that receives traces and metrics through [OpenTelemetry](monitoring.md#opentelemetry) (OTLP over HTTP), like `http://127.0.0.1:4318`. Sending is off by default. The other standard `OTEL_` variables work too.",
  LOG_LEVEL: "The lowest level in the [log](monitoring.md#log): `info`, `warn` or `error`.",
  ACCESS_LOG: "Whether the log has a line for each finished request: `on` or `off`.",
  SECRET:
    "The secret that every key is derived from, at least 32 characters and the same for every instance. If not set, the service generates a secret once and stores it in `DATA_DIR/secret`. The service rejects a changed secret until you run `secret replace`, which ends every session, token and client secret.",
  SETUP_TOKEN:
    "The token in the setup link, at least 16 characters. By default, the service derives the token from the secret.",
  SIGNUPS:
    "Whether people can create their own accounts: `open` or `closed`. The operator can always create accounts with `owner create`.",
  RATE_LIMIT: "The maximum number of requests per second from each app for each owner. `0` means no limit.",
  RATE_BURST: "The maximum number of requests in a burst from each app for each owner.",
  MAX_PENDING: "The maximum number of pending approvals for each app and owner. `0` means no limit.",
  REGISTRATION_LIMIT:
    "The maximum number of app self-registrations per hour from one address, including rejected attempts. `0` means no limit.",
  RETENTION_EVENTS:
    "Days to keep events, like `90d`: at least `7d`. By default, the service keeps events forever (see [Retention](operations.md#retention)).",
  RETENTION_ANSWERED:
    "Days to keep answered approvals, in the format of `RETENTION_EVENTS`. By default, the service keeps approvals forever.",
  ALLOW_PRIVATE_FETCH:
    "For development: origins, separated by spaces, that may have private addresses and no TLS, like `http://127.0.0.1:8080`. These origins apply to client metadata documents, push services, webhooks, alert channels (ntfy, Gotify) and linked accounts. All other URLs from owners and apps must be https at a public address. For a mail server at a private address, include the port. With implicit TLS, use `imaps://mail.home:993` or `smtps://mail.home:465`. With STARTTLS, use `imap://mail.home:143` or `smtp://mail.home:587`.",
  UNDO_SECONDS:
    "The default time in which an owner can undo an answer, in seconds: `0`, `5`, `10` or `30`. Each owner can choose another time in Settings. During that time, the app cannot read the answer.",
  TRUST_PROXY:
    "The number of proxies in front of the service. The service trusts the caller's address from these proxies (X-Forwarded-For). With `0` behind a proxy, all callers count as one caller, and the log shows a warning.",
  SMTP_URL:
    "The mail server: `smtp://user:password@host:587` (TLS if the host offers it) or `smtps://…:465` (implicit TLS). Also set `MAIL_FROM`. Owners who have confirmed their address can then sign in by email link and answer from email. These owners also get email about open questions, failed sign-ins and new devices.",
  MAIL_FROM: "The sender of emails, like `Countersign <yes@example.com>`.",
  SECURITY_CONTACT:
    "The contact for vulnerability reports about this installation: `mailto:security@example.com`, or the `https://` address of a page. The service publishes the contact at `/.well-known/security.txt`.",
  GOOGLE_CLIENT_ID:
    "The client ID at Google, for accounts that owners link. A provider is available once its client ID and secret are set (see [Integrations](integrations.md)).",
  GOOGLE_CLIENT_SECRET: "The client secret at Google.",
  MICROSOFT_CLIENT_ID: "The client ID at Microsoft.",
  MICROSOFT_CLIENT_SECRET: "The client secret at Microsoft.",
  MICROSOFT_TENANT: "The tenant at Microsoft: `common`, `organizations`, `consumers`, or an ID.",
  GITHUB_CLIENT_ID: "The client ID at GitHub.",
  GITHUB_CLIENT_SECRET: "The client secret at GitHub.",
  GITHUB_URL: "GitHub's address. For GitHub Enterprise Server, set your server's address.",
  TELEGRAM_API_URL:
    "The address of Telegram's Bot API, for owners' [alert channels](owners.md#alert-channels). If you run your own Bot API server or a proxy, set the address of that server.",
  SLACK_API_URL: "The address of Slack's Web API, for alert channels. GovSlack uses `https://slack-gov.com`.",
  OIDC_PROVIDERS:
    'Other OpenID Connect providers, as JSON: `[{"id":"corp","name":"Corp","issuer":"https://id.corp.example","clientId":"…","clientSecret":"…","scopes":{"calendar.read":["cal:r"]}}]`. The redirect address ends with the ID: `…/integrations/callback/corp`.',
  INTEGRATION_KEYS:
    "Keys outside the database that protect the secrets of linked accounts, webhooks and alert channels, the same for every instance. Each key is `name:BASE64` of 32 random bytes. Separate the keys with spaces, the active key first. By default, the service derives one key from the secret. Set a key before you change `SECRET` (see [Keys](operations.md#keys)).",
  WEBHOOK_SCHEDULE:
    "Seconds before each attempt to deliver a webhook, separated by commas, one number per attempt. The first delay starts at the event, and each later delay at the previous attempt. Each delay may be up to a tenth longer. Shorter delays are for tests.",
};
