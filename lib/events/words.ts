import { isScope, scopeNames, scopes } from "@/lib/scopes";
import { accountWords } from "./account-words";
import type { EventType } from "./events";
import type { ActivityKind, Words } from "./schema";
import { webhookWords } from "./webhook-words";

type Data = Record<string, unknown>;

const permission = { kind: "permissions", about: "app" } as const;
const token = { kind: "tokens", about: "app" } as const;
/** Somebody was refused, or may be using what is not theirs. */
const misused = { kind: "trouble", by: "service", about: "app" } as const;
const answer = { kind: "answers", about: "approval" } as const;
const notification = { kind: "notifications", about: "notifications" } as const;
const registration = { kind: "apps", about: "registration" } as const;
const signIn = { kind: "sign-ins", about: "settings", by: "you" } as const;

/** Every type of event in words, and the only place that has them. A test names the types that are missing. */
export const words: Partial<Record<EventType, Words>> & Record<string, Words> = {
  "approval.submitted": { ...answer, by: "app", says: "{app} asked you a question" },
  "approval.resolved": {
    ...answer,
    by: ({ by, deadline }) => (by === "owner" ? "you" : deadline ? "service" : "app"),
    says: ({ by, deadline }) =>
      by === "owner"
        ? "You answered a question from {app}"
        : deadline
          ? "A question from {app} was answered by its default, without you"
          : "{app} answered its own question without you",
  },
  "approval.deadline_passed": {
    ...answer,
    by: "service",
    says: "The deadline of a question from {app} passed without your answer",
  },
  "approval.unexpected": {
    ...answer,
    by: "you",
    says: "You reported a question from {app} as unexpected and muted its questions",
  },
  "approval.question_asked": { ...answer, by: "you", says: "You asked {app} something before deciding" },
  "approval.addition_made": { ...answer, by: "app", says: "{app} added to its question" },
  "approval.outcome_reported": { ...answer, by: "app", says: ({ outcome }) => reported(outcome) },
  "notification.pushed": { ...notification, by: "app", says: "{app} sent you a notification" },
  "notification.read": { ...notification, by: "you", says: ({ count }) => `You read ${notifications(count)}` },
  "notification.unread": {
    ...notification,
    by: "you",
    says: ({ count }) => `You marked ${notifications(count)} unread`,
  },
  "notification.done": {
    ...notification,
    by: "you",
    says: ({ count }) => `You marked as done ${notifications(count)}`,
  },
  "notification.snoozed": { ...notification, by: "you", says: ({ count }) => `You snoozed ${notifications(count)}` },
  "notification.returned": {
    ...notification,
    by: "you",
    says: ({ count }) => `You put ${notifications(count)} back into the inbox`,
  },
  ...accountWords,
  "grant.changed": { ...permission, by: "you", says: granted },
  "grant.revoked": {
    ...permission,
    by: ({ deleted }) => (deleted ? "service" : "you"),
    says: ({ deleted }) => (deleted ? "{app} was deleted and lost all access" : "You revoked all access of {app}"),
  },
  "token.created": {
    ...token,
    by: ({ personal }) => (personal ? "you" : "app"),
    says: ({ personal }) => (personal ? "You created a token for {app}" : "{app} got a token"),
  },
  "token.refreshed": { ...token, by: "app", says: "{app} renewed its token" },
  "token.revoked": {
    ...token,
    by: ({ by }) => (by === "app" ? "app" : "you"),
    says: ({ by }) => (by === "app" ? "{app} revoked its own token" : "You revoked a token of {app}"),
  },
  "token.reused": {
    ...misused,
    says: "An already used token of {app} was used again, so everything issued with it was revoked",
  },
  "token.shared": {
    ...misused,
    says: ({ why }) =>
      why === "network"
        ? "A token of {app} was renewed from two networks within a minute: somebody else may have a copy"
        : "A token of {app} was renewed twice, three times in a row: somebody else may have a copy",
  },
  "code.reused": {
    ...misused,
    says: "An already used code of {app} was used again, so everything issued with it was revoked",
  },
  "app.registered": { ...registration, by: "you", says: "You registered {app}" },
  "app.changed": {
    ...registration,
    by: "you",
    says: ({ changed }) => `You changed ${typeof changed === "string" ? `the ${changed} of {app}` : "{app}"}`,
  },
  "app.deleted": { ...registration, by: "you", says: "You deleted {app}" },
  "app.refused": { kind: "trouble", about: "app", by: "app", says: refused },
  ...webhookWords,
  "owner.created": { ...signIn, says: "Your account was created" },
  "owner.signed_in": {
    ...signIn,
    says: ({ method, newDevice }) => `You signed in${withWhat(method)}${onNew(newDevice)}`,
  },
  // Nobody knows who it was.
  "owner.sign_in_refused": { kind: "trouble", about: "settings", by: "service", says: refusedSignIns },
  "owner.signed_out": {
    ...signIn,
    says: ({ everywhere }) => (everywhere ? "You signed out everywhere" : "You signed out"),
  },
  "owner.password_changed": { ...signIn, says: "You changed your password, which ended every session" },
  "owner.session_ended": { ...signIn, says: "You signed out another of your sessions" },
  "owner.passkey_added": { ...signIn, says: ({ name }) => `You added ${aPasskey(name)}` },
  "owner.passkey_removed": { ...signIn, says: ({ name }) => `You removed ${aPasskey(name)}` },
  "owner.recovery_codes_made": { ...signIn, says: "You created new recovery codes" },
  "owner.recovery_code_used": { ...signIn, says: "You signed in with a recovery code" },
  "owner.sign_in_link_sent": { ...signIn, by: "service", says: "A sign-in link was sent to you" },
  "owner.settings_changed": { ...signIn, says: ({ changed }) => `You changed a setting${which(changed)}` },
  "owner.deleted": { kind: "sign-ins", by: "you", says: "You deleted your account" },
};

/** How an event of any type reads, also one that this version does not know. */
export const wordsFor = (type: string): Words =>
  (Object.hasOwn(words, type) && words[type]) || {
    kind: "accounts",
    by: "service",
    says: `Something happened: ${type}`,
  };

/** Every type of one kind. */
export const typesOf = (kind: ActivityKind): string[] =>
  Object.keys(words).filter((type) => words[type]?.kind === kind);

const list = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];

/** "ask you questions", "ask you questions and send you notifications" */
function whatFor(names: string[]): string {
  const ordered = [...scopeNames.filter((scope) => names.includes(scope)), ...names.filter((name) => !isScope(name))];
  const sentences = ordered.map((name) => (isScope(name) ? scopes[name].sentence : name));
  const lower = sentences.map((sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1));
  const last = lower.pop() ?? "";
  return lower.length > 0 ? `${lower.join(", ")} and ${last}` : last;
}

function granted({ added, removed, integrations, days, via }: Data): string {
  const [more, less] = [list(added), list(removed)];
  const where = via === "device" ? " on another device" : "";
  const until = typeof days === "number" ? ` for ${days === 1 ? "1 day" : `${days} days`}` : "";
  if (more.length > 0) {
    const rest = less.length > 0 ? `, and no longer to ${whatFor(less)}` : "";
    return `You allowed {app}${where} to ${whatFor(more)}${until}${rest}`;
  }
  if (less.length > 0) return `You no longer allow {app} to ${whatFor(less)}`;
  if (Array.isArray(integrations) && days === undefined && via === undefined) {
    return "You chose which linked accounts {app} sees";
  }
  return `You allowed {app}${where} again, with the same permissions${until}`;
}

function refused({ status, scope, operation, reason, count }: Data): string {
  const times = typeof count === "number" && count > 1 ? `, ${count} times` : "";
  if (status === 401) return `{app} used a token that no longer works${whyDead(reason)}${times}`;
  if (status === 403 && !scope) return `{app} tried to answer a question that only you can answer${times}`;
  if (status === 403) return `{app} was refused: it lacks ${scope}${times}`;
  if (status === 429) return `{app} was refused: it sent too many requests at once${times}`;
  if (operation === "resolveApproval")
    return `{app} tried to answer a question that was already answered, or too late${times}`;
  return `{app} was refused${times}`;
}

/** What an app says came of an answer. */
function reported(outcome: unknown): string {
  if (outcome === "started") return "{app} started what you had answered";
  if (outcome === "done") return "{app} reported what you had answered as done";
  if (outcome === "failed") return "{app} reported that what you had answered failed";
  return "{app} reported the outcome of your answer";
}

const notifications = (count: unknown) =>
  typeof count === "number" && count > 1 ? `${count} notifications` : "a notification";

function withWhat(method: unknown): string {
  if (method === "passkey") return " with a passkey";
  if (method === "recovery_code") return " with a recovery code";
  if (method === "email_link") return " with a link sent to you";
  return "";
}

/** ": quiet hours", from the name that the setting has for us. */
const which = (changed: unknown) =>
  list(changed).length === 0
    ? ""
    : `: ${list(changed)
        .map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
        .join(", ")}`;

const onNew = (device: unknown) => (typeof device === "string" ? ` on a new device: ${device}` : "");

function refusedSignIns({ door, count, address, elsewhere }: Data): string {
  const what =
    typeof count === "number" && count > 1 ? `${count} sign-ins${by(door)} were` : `A sign-in${by(door)} was`;
  const where = typeof address === "string" && address ? `, from ${address}${elsewhere ? " and elsewhere" : ""}` : "";
  return `${what} refused${where}`;
}

function by(door: unknown): string {
  if (door === "password") return " by password";
  if (door === "recovery_code") return " by recovery code";
  if (door === "passkey") return " by passkey";
  if (door === "again") return " in one of your sessions";
  return "";
}

const aPasskey = (name: unknown) => (typeof name === "string" && name ? `the passkey ${name}` : "a passkey");

function whyDead(reason: unknown): string {
  if (reason === "expired") return ": it has expired";
  if (reason === "revoked") return ": it was revoked";
  if (reason === "disconnected") return ": its access was revoked";
  return "";
}
