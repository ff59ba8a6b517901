/** All scopes, least risky first. The consent screen shows `sentence`. */
export const scopes = {
  "approvals:write": { sentence: "Ask you questions", api: "Submit an approval." },
  "approvals:read": { sentence: "See this app’s questions and your answers", api: "List and get approvals." },
  "notifications:write": { sentence: "Send you notifications", api: "Push a notification." },
  "notifications:read": {
    sentence: "See this app’s notifications",
    api: "List the notifications that this app pushed.",
  },
  "approvals:resolve": {
    sentence: "Answer this app’s own questions without you",
    api: "Resolve an approval that this app submitted.",
  },
} as const satisfies Record<string, { sentence: string; api: string }>;

export type Scope = keyof typeof scopes;

/** All scope names, least risky first. */
export const scopeNames = Object.keys(scopes) as Scope[];

export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name);

/**
 * Scopes that an app gets only if it requests them by name, and the owner selects them after a
 * recent sign-in. With the one below, an app can approve its own requests.
 */
export const sensitiveScopes: ReadonlySet<Scope> = new Set(["approvals:resolve"]);

/**
 * The scopes that our metadata lists. Some clients request all of them, so the metadata omits
 * riskier scopes, which clients must request by name.
 */
export const usualScopes: readonly Scope[] = ["approvals:write", "approvals:read", "notifications:write"];

/**
 * Describes what these scopes allow, within a sentence: "ask you questions and send you
 * notifications".
 */
export function allows(names: readonly string[]): string {
  const ordered = [...scopeNames.filter((scope) => names.includes(scope)), ...names.filter((name) => !isScope(name))];
  const sentences = ordered.map((name) => (isScope(name) ? scopes[name].sentence : name));
  const lower = sentences.map(
    (sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace("this app’s", "its"),
  );
  const last = lower.pop() ?? "";
  if (lower.length === 0) return last;
  const comma = lower.length > 1 || [...lower, last].some((it) => it.includes(" and "));
  return `${lower.join(", ")}${comma ? "," : ""} and ${last}`;
}
