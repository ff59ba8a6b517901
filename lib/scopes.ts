/** Every scope there is, in order of risk. `sentence` is what the owner reads on the consent screen. */
export const scopes = {
  "approvals:write": { sentence: "Ask you questions", api: "Submit an approval." },
  "approvals:read": { sentence: "See its questions and your answers", api: "List and get approvals." },
  "notifications:write": { sentence: "Send you notifications", api: "Push a notification." },
  "notifications:read": { sentence: "See notifications it sent", api: "List notifications this app pushed." },
  "approvals:resolve": {
    sentence: "Answer its own questions without you",
    api: "Resolve an approval this app submitted.",
  },
} as const satisfies Record<string, { sentence: string; api: string }>;

export type Scope = keyof typeof scopes;

/** All scope names, least risky first. */
export const scopeNames = Object.keys(scopes) as Scope[];

export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name);

/** Never ticked in advance and never part of "Select all": an app that has it can answer for itself. */
export const sensitiveScopes: ReadonlySet<Scope> = new Set(["approvals:resolve"]);

/** What a client that asks for everything listed may well be given: the riskier scopes are asked for when they are needed. */
export const usualScopes: readonly Scope[] = ["approvals:write", "approvals:read", "notifications:write"];

/** What these scopes allow, in the middle of a sentence: "ask you questions and send you notifications". */
export function allows(names: readonly string[]): string {
  const ordered = [...scopeNames.filter((scope) => names.includes(scope)), ...names.filter((name) => !isScope(name))];
  const sentences = ordered.map((name) => (isScope(name) ? scopes[name].sentence : name));
  const lower = sentences.map((sentence) => sentence.charAt(0).toLowerCase() + sentence.slice(1));
  const last = lower.pop() ?? "";
  return lower.length > 0 ? `${lower.join(", ")} and ${last}` : last;
}
