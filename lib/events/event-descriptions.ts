import { allows } from "@/lib/scopes";
import { plural } from "@/lib/text/plural";
import { type ActivityKind, describes, type EventData, type EventDescription } from "./activity-schema";
import { approvalWords } from "./approval-event-descriptions";
import { accountWords, list } from "./linked-account-event-descriptions";
import { webhookWords } from "./webhook-event-descriptions";

const permission = describes("permissions", "app");
const token = describes("tokens", "app");
/** Events in which someone was rejected, or may be using another person's credentials. */
const misused = describes("trouble", "app");
const notification = describes("notifications", "notifications");
const registration = describes("apps", "registration");
const signIn = describes("sign-ins", "settings");

/**
 * The descriptions of all event types. Those of events about approvals, webhooks and linked
 * accounts are in separate modules.
 */
export const eventDescriptions = {
  ...approvalWords,
  "notification.pushed": notification("app", "{app} sent you a notification"),
  "notification.read": notification("you", ({ count }) => `You read ${notifications(count)}`),
  "notification.unread": notification("you", ({ count }) => `You marked ${notifications(count)} as unread`),
  "notification.done": notification("you", ({ count }) => `You marked ${notifications(count)} as done`),
  "notification.snoozed": notification("you", ({ count }) => `You snoozed ${notifications(count)}`),
  "notification.returned": notification("you", ({ count }) => `You moved ${notifications(count)} back to the inbox`),
  ...accountWords,
  "grant.changed": permission("you", granted),
  "grant.revoked": permission(
    ({ deleted }) => (deleted ? "service" : "you"),
    ({ deleted }) => (deleted ? "{app} was deleted and lost all access" : "You revoked all access for {app}"),
  ),
  "owner.frozen": permission(
    ({ by }) => (by === "owner" ? "you" : by === "app" ? "app" : "service"),
    ({ by, all, every }) => {
      if (by === "app") return "{app} froze itself";
      const who = by === "operator" ? "The operator" : "You";
      return all ? `${who} froze all apps` : every ? `${who} froze all apps, including {app}` : `${who} froze {app}`;
    },
  ),
  "owner.unfrozen": permission("you", ({ all, every }) =>
    all ? "You unfroze all apps" : every ? "You unfroze all apps, including {app}" : "You unfroze {app}",
  ),
  "token.created": token(
    ({ personal }) => (personal ? "you" : "app"),
    ({ personal }) => (personal ? "You created a token for {app}" : "{app} received a token"),
  ),
  "token.refreshed": token("app", "{app} refreshed its token"),
  "token.revoked": token(
    ({ by }) => (by === "app" ? "app" : "you"),
    ({ by }) => (by === "app" ? "{app} revoked its own token" : "You revoked a token for {app}"),
  ),
  "token.reused": misused("service", usedAgain("token")),
  "token.shared": misused("service", ({ why }) =>
    why === "network"
      ? "{app}’s token was refreshed from two networks within a minute. Someone else may have the token"
      : "{app}’s token is in use in two places. Someone else may have the token",
  ),
  "code.reused": misused("service", usedAgain("code")),
  "app.registered": registration("you", "You registered {app}"),
  "app.changed": registration("you", ({ changed }) => {
    if (changed === "secret") return "You replaced {app}’s client secret";
    if (changed === "old secret") return "You revoked {app}’s old client secret";
    return typeof changed === "string" ? `You changed {app}’s ${changed}` : "You changed {app}";
  }),
  "app.deleted": registration("you", "You deleted {app}"),
  "app.refused": misused("app", refused),
  ...webhookWords,
  "owner.created": signIn("you", "Your account was created"),
  "owner.signed_in": signIn("you", ({ method, newDevice }) => `You signed in${withWhat(method)}${onNew(newDevice)}`),
  // The service is the actor, because the person who tried to sign in is unknown.
  "owner.sign_in_refused": describes("trouble", "settings")("service", failedSignIns),
  "owner.signed_out": signIn("you", ({ everywhere }) => `You signed out${everywhere ? " everywhere" : ""}`),
  "owner.password_changed": signIn("you", "You changed your password. Other devices were signed out"),
  "owner.session_ended": signIn("you", "You ended another session"),
  "owner.passkey_added": signIn("you", ({ name }) => `You added ${aPasskey(name)}`),
  "owner.passkey_removed": signIn("you", ({ name }) => `You removed ${aPasskey(name)}`),
  // One for each app. The owner's own events are the two above.
  "owner.keys_changed": signIn("you", ({ change }) => `You ${change === "removed" ? "removed" : "added"} a passkey`),
  "owner.recovery_codes_made": signIn("you", "You generated new recovery codes"),
  "owner.recovery_code_used": signIn("you", "You signed in with a recovery code"),
  "owner.sign_in_link_sent": signIn("service", "Countersign emailed you a sign-in link"),
  "owner.reset_link_made": signIn("service", "The operator created a link to reset your password"),
  "owner.phone_link_made": signIn("you", "You created a link to sign in on your phone"),
  "owner.changed": signIn("you", ({ changed }) => `You changed your ${list(changed).join(" and ") || "account"}`),
  "owner.email_change_requested": signIn("you", "You requested an email change"),
  "owner.email_confirmed": signIn("service", "Your email was confirmed"),
  "owner.settings_changed": signIn(
    "you",
    ({ changed }) => `You changed ${list(changed).length > 1 ? "settings" : "a setting"}${which(changed)}`,
  ),
  "owner.archived": describes("sign-ins", "settings")(
    "service",
    "Older records were moved to an archive. The archive is available in Settings for 90 days",
  ),
  "channel.added": signIn("you", ({ name }) => `You added the alert channel ${name}`),
  "channel.renamed": signIn("you", ({ name }) => `You renamed an alert channel to ${name}`),
  "channel.removed": signIn("you", ({ name }) => `You removed the alert channel ${name}`),
  "channel.failing": describes("trouble", "settings")("service", ({ name }) => `An alert to ${name} failed`),
  "channel.lost": describes("trouble", "settings")(
    "service",
    ({ name }) => `The alert channel ${name} was removed because its credentials can no longer be decrypted`,
  ),
  "owner.deleted": describes("sign-ins")("you", "You deleted your account"),
} satisfies Record<string, EventDescription>;
const known = new Map<string, EventDescription>(Object.entries(eventDescriptions));

/** Returns the description of an event type, even of a type that a later version added. */
export const describeEvent = (type: string): EventDescription =>
  known.get(type) ?? describes("accounts")("service", `Unknown event: ${type}`);

export const eventTypesOfKind = (kind: ActivityKind): string[] =>
  [...known].flatMap(([type, it]) => (it.kind === kind ? [type] : []));

function granted({ added, removed, integrations, days, via, undone }: EventData): string {
  const [more, less] = [list(added), list(removed)];
  const where = via === "device" ? " on another device" : "";
  if (undone) return `You restored {app}’s permission to ${allows(more)}`;
  const until = typeof days === "number" ? ` for ${plural(days, { one: "# day", other: "# days" })}` : "";
  if (more.length > 0) {
    const rest = less.length > 0 ? `, and revoked its permission to ${allows(less)}` : "";
    return `You allowed {app}${where} to ${allows(more)}${until}${rest}`;
  }
  if (less.length > 0) return `You revoked {app}’s permission to ${allows(less)}`;
  if (Array.isArray(integrations) && days === undefined && via === undefined) {
    return "You chose which linked accounts {app} can see";
  }
  return `You renewed {app}’s permissions${where}${until}`;
}

function refused({ status, scope, operation, reason, count }: EventData): string {
  const many = typeof count === "number" && count > 1 ? count : undefined;
  const tried = many ? `{app} tried ${many} times to` : "{app} tried to";
  if (status === 401) return `${many ? `${tried} use` : "{app} used"} a token that no longer works${whyDead(reason)}`;
  if (status === 403 && !scope) return `${tried} answer a question that only you can answer`;
  if (status === 403) return `${tried} ${allows([String(scope)])} without your permission`;
  if (status === 429)
    return `{app} sent too many requests, so ${many ?? "one"} of them ${many ? "were" : "was"} rejected`;
  if (operation === "resolveApproval") return `${tried} answer a question that was already answered or had expired`;
  return many ? `${many} requests from {app} were rejected` : "A request from {app} was rejected";
}

/** Describes the reuse of a single-use token or code. */
function usedAgain(what: "token" | "code"): string {
  return `${what === "token" ? "An old token" : "A single-use code"} for {app} was used again, so all tokens from the same connection were revoked`;
}

/** Describes the outcome of an answer, as the app reported it. */
const notifications = (count: unknown) =>
  plural(typeof count === "number" ? count : 1, { one: "a notification", other: "# notifications" });

/**
 * Returns how the owner signed in, such as " with a passkey", or an empty string for a password.
 */
export function withWhat(method: unknown): string {
  if (method === "passkey") return " with a passkey";
  if (method === "recovery_code") return " with a recovery code";
  if (method === "email_link") return " with an emailed link";
  if (method === "reset_link") return " with a link from the operator";
  if (method === "phone_link") return " with a link for your phone";
  return "";
}

/**
 * Returns the changed settings, as in ": quiet hours". If a setting has no entry in `settingNames`,
 * its label is derived from its name in the code.
 */
function which(changed: unknown): string {
  const names = list(changed).map(
    (name) => settingNames.get(name) ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
  return names.length === 0 ? "" : `: ${names.join(", ")}`;
}

/** The settings whose labels on the page differ from their names in the code. */
const settingNames = new Map(
  Object.entries({
    undoSeconds: "time to undo an answer",
    alwaysConfirm: "confirmation of every answer",
    signAnswers: "signing with a passkey",
    singleKeys: "single-key shortcuts",
    quiet: "quiet hours",
    quietDays: "days when quiet hours start",
    quietBreakthrough: "alerts for urgent notifications",
    lockScreen: "alert text",
    answerFromAlerts: "answers from alerts",
    emailAfterMinutes: "time before email alerts",
    emailAnswers: "answers from email",
    firstStepsDone: "first steps",
  }),
);

const onNew = (device: unknown) => (typeof device === "string" ? ` on a new device: ${device}` : "");

function failedSignIns({ step, count, address, elsewhere }: EventData): string {
  const what =
    typeof count === "number" && count > 1 ? `${count} failed sign-ins${by(step)}` : `A failed sign-in${by(step)}`;
  const where = typeof address === "string" && address ? `, from ${address}${elsewhere ? " and elsewhere" : ""}` : "";
  return `${what}${where}`;
}

function by(step: unknown): string {
  if (step === "password") return " with a password";
  if (step === "recovery_code") return " with a recovery code";
  if (step === "passkey") return " with a passkey";
  if (step === "again") return " in one of your sessions";
  return "";
}

const aPasskey = (name: unknown) => (typeof name === "string" && name ? `the passkey ${name}` : "a passkey");

function whyDead(reason: unknown): string {
  if (reason === "expired") return ": the token has expired";
  if (reason === "revoked") return ": the token was revoked";
  if (reason === "disconnected") return ": the app’s access was revoked";
  return "";
}
