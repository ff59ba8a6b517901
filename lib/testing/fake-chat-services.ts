import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A message's current state, as the service shows it to a person. */
export type ShownMessage = { at: string; id: string; title: string; text: string; link: string };
type Answer = { status?: number; headers?: Record<string, string>; body?: object };
type Fields = Record<string, unknown>;

/**
 * Starts fakes of ntfy (2.16), Gotify, Telegram's Bot API, Slack's Web API and Slack's incoming
 * webhooks. They implement only what alerts need. Their origin must be in ALLOW_PRIVATE_FETCH, or
 * in TELEGRAM_API_URL and SLACK_API_URL.
 */
export async function someChatServices(port = 0) {
  const shown: ShownMessage[] = [];
  /** Every received request. */
  const asked: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const failing: Answer[] = [];
  let count = 0;

  const add = (at: string, id: string, title: unknown, text: unknown, link: unknown) => {
    const before = shown.findIndex((it) => it.at === at && it.id === id);
    const message = { at, id, title: String(title), text: String(text), link: String(link) };
    if (before >= 0) shown[before] = message;
    else shown.push(message);
  };
  const take = (at: string, id: string) => {
    const place = shown.findIndex((it) => it.at === at && it.id === id);
    if (place >= 0) shown.splice(place, 1);
    return place >= 0;
  };

  const ntfy = (method: string, path: string, fields: Fields): Answer | undefined => {
    const [, topic = "", id = ""] = path.split("/");
    if (method === "DELETE" && id) take(`ntfy/${topic}`, id);
    else if (method === "POST" && path === "/") {
      const id = String(fields.sequence_id ?? ++count);
      add(`ntfy/${fields.topic}`, id, fields.title, fields.message, fields.click);
    } else return undefined;
    return { body: { id: "x", event: "message" } };
  };
  const gotify = (method: string, path: string, fields: Fields, key: unknown): Answer | undefined => {
    const client = ["DELETE", "GET"].includes(method);
    if (key !== (client ? "a-client-token" : "an-app-token")) return { status: 401 };
    const id = /^\/message\/(\d+)$/.exec(path)?.[1];
    if (method === "DELETE" && id) return { status: take("gotify", id) ? 200 : 404 };
    if (method === "GET" && path === "/current/user") return { body: { id: 1 } };
    if (method !== "POST" || path !== "/message") return undefined;
    const extras = fields.extras as { "client::notification": { click: { url: string } } };
    add("gotify", String(++count), fields.title, fields.message, extras["client::notification"].click.url);
    return { body: { id: count } };
  };
  const telegram = (path: string, fields: Fields): Answer | undefined => {
    const method = /^\/bot123456:a-secret-telegram-token\/(\w+)$/.exec(path)?.[1];
    if (!method) return { status: 404, body: { ok: false, error_code: 404 } };
    const at = `telegram/${fields.chat_id}`;
    const id = String(method === "editMessageText" ? fields.message_id : ++count);
    if (method === "editMessageText" && !shown.some((it) => it.at === at && it.id === id))
      return { status: 400, body: { ok: false, error_code: 400 } };
    const [title, ...rest] = String(fields.text).split("\n");
    const keyboard = fields.reply_markup as { inline_keyboard: { url: string }[][] } | undefined;
    add(at, id, title, rest.join("\n"), keyboard?.inline_keyboard[0]?.[0]?.url ?? "");
    return { body: { ok: true, result: { message_id: Number(id) } } };
  };
  const slack = (fields: Fields): Answer => {
    const [title, text, link] = String(fields.text).split("\n");
    add("slack", String(++count), title, text, /^<(.*)\|/.exec(link ?? "")?.[1]);
    return {};
  };

  const slackBot = (method: string, fields: Fields, authorization: unknown): Answer | undefined => {
    const no = (error: string) => ({ body: { ok: false, error } });
    if (authorization !== "Bearer xoxb-a-secret-slack-token") return no("invalid_auth");
    const member = String(fields.channel).startsWith("U");
    const channel = member ? "D0123456" : String(fields.channel);
    const at = `slack-bot/${channel}`;
    const ts = method === "chat.update" ? String(fields.ts) : `1700000000.${String(++count).padStart(6, "0")}`;
    if (method === "chat.update" && !shown.some((it) => it.at === at && it.id === ts)) return no("message_not_found");
    const blocks = fields.blocks as { type: string; text?: { text: string }; block_id?: string; elements?: Fields[] }[];
    const texts = blocks.filter(({ type }) => type !== "actions").map(({ text }) => text?.text ?? "");
    const elements = blocks.find(({ type }) => type === "actions")?.elements ?? [];
    const [title = "", ...rest] = texts;
    add(at, ts, title, rest.join("\n"), elements.find((it) => "url" in it)?.url ?? "");
    return { body: { ok: true, channel, ts, message: { team: "T0123456" } } };
  };

  const server = createServer(async (req, res) => {
    let body = "";
    req.setEncoding("utf8");
    for await (const piece of req) body += piece;
    const [method, path] = [req.method ?? "", req.url ?? "/"];
    asked.push({ method, path, headers: req.headers, body });
    const fields: Fields = body ? JSON.parse(body) : {};
    const answer =
      failing.shift() ??
      (path.startsWith("/gotify/")
        ? gotify(method, path.slice(7), fields, req.headers["x-gotify-key"])
        : path.startsWith("/bot")
          ? telegram(path, fields)
          : path.startsWith("/api/chat.")
            ? slackBot(path.slice(5), fields, req.headers.authorization)
            : path.startsWith("/services/")
              ? slack(fields)
              : path === "/events"
                ? {}
                : ntfy(method, path, fields));
    res.writeHead(answer ? (answer.status ?? 200) : 404, { "content-type": "application/json", ...answer?.headers });
    res.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    shown,
    asked,
    /** The responses to the next requests, instead of the usual ones. */
    failing,
    /** The credentials for a channel of each type at these fakes. */
    channels: {
      ntfy: { url: `${origin}/a-secret-topic`, token: "tk_a_secret_ntfy_token" },
      gotify: { url: `${origin}/gotify`, token: "an-app-token", clientToken: "a-client-token" },
      telegram: { token: "123456:a-secret-telegram-token", chat: "42" },
      slack: { url: `${origin}/services/a-secret-slack-path` },
      "slack-bot": {
        token: "xoxb-a-secret-slack-token",
        channel: "U0123456",
        signingSecret: "0123456789abcdef0123456789abcdef",
      },
      webhook: { url: `${origin}/events`, secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` },
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
