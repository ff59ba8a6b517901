import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/app-sql-for-other-domains";
import { type Sql, sql } from "@/lib/database/sql";
import { text } from "@/lib/text/text-schema";
import { contentHashOf, isOpen } from "./approval-state-sql";
import { resolveApproval } from "./approvals";
import type { ApprovalOption } from "./content/option-schema";
import type { Fields } from "./fields/field-schema";
import { readFields, type StoredFields } from "./fields/stored-fields";
import { type Answer, Approval } from "./schema";

const Pattern = z.string().max(1_000).refine(isPattern, "Must be a valid regular expression");

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "iu") instanceof RegExp;
  } catch {
    return false;
  }
}

const Rule = z.strictObject({
  /** The asking app's client ID or name. A rule without this condition matches every app. */
  app: z.string().optional(),
  /** A case-insensitive regular expression that the question must match. */
  question: Pattern.optional(),
  /** The risk that the app must have stated. */
  risk: Approval.shape.risk,
  /** The ID of an option that the question must offer. */
  offers: z.string().optional(),
  /** The probability that a matching rule applies. If it doesn't apply, the next rule is tried. */
  probability: z.number().min(0).max(1).default(1),
  /** The answer: an option by its ID or its position (1 is the first), free text, or no answer. */
  answer: z.union([
    z.strictObject({
      option: z.union([z.string(), z.int().min(1).max(20)]),
      /** The values by field name. Fields without a value keep their defaults. */
      values: z.record(z.string(), z.unknown()).optional(),
      note: z.string().max(1_900).optional(),
    }),
    z.strictObject({ other: text({ max: 10_000, lines: true }), note: z.string().max(1_900).optional() }),
    z.literal("none"),
  ]),
  delayMs: z.int().min(0).max(86_400_000).default(0),
});
type Rule = z.output<typeof Rule>;

/**
 * A simulated owner's rules. The first matching rule gives the answer. Without a match, the
 * question stays unanswered.
 */
export const Rules = z.strictObject({ rules: z.array(Rule).min(1).max(1_000) });

/** A pending question. `seen` is its content hash. */
export type SimulatedQuestion = {
  id: string;
  clientId: string;
  app: string;
  question: string;
  options: ApprovalOption[];
  fields?: Fields | null;
  risk?: Approval["risk"] | null;
  seen: string;
};

/** Returns pending questions of these apps, or of all apps if none is named, oldest first. */
export async function waitingFor({ ownerId }: OwnerActor, clientIds: readonly string[]): Promise<SimulatedQuestion[]> {
  const ofApps = clientIds.length === 0 ? sql`true` : sql`a.app_id = ANY (${clientIds})`;
  const rows = await sql<SimulatedQuestion & { stored: StoredFields | null }>`
    SELECT a.id, a.app_id AS "clientId", ${appName(sql`a.app_id`)} AS app, a.question, a.options,
      a.fields AS stored, a.risk, ${contentHashOf} AS seen
    FROM approval a
    WHERE a.owner_id = ${ownerId} AND ${ofApps} AND ${isOpen} AND a.frozen_at IS NULL
    ORDER BY a.created_at, a.id`.rows();
  return rows.map(({ stored, ...row }) => ({ ...row, ...(stored && { fields: readFields(stored) }) }));
}

export type Simulated = { answer: Answer; delayMs: number; rule: number };

/**
 * Returns the rules' answer to a question; undefined if they give none. Every answer's note says
 * that it is simulated.
 */
export function simulate(
  rules: readonly Rule[],
  approval: SimulatedQuestion,
  chance = Math.random,
): Simulated | undefined {
  for (const [index, rule] of rules.entries()) {
    if (!holds(rule, approval) || (rule.probability < 1 && chance() >= rule.probability)) continue;
    if (rule.answer === "none") return undefined;
    const note = `Simulated: rule ${index + 1}${rule.answer.note ? `. ${rule.answer.note}` : ""}`;
    const how = { delayMs: rule.delayMs, rule: index + 1 };
    if ("other" in rule.answer) return { answer: { kind: "other", otherText: rule.answer.other, note }, ...how };
    const optionId = chosen(rule.answer.option, approval);
    if (optionId === undefined) continue;
    const values = valuesOf(rule.answer.values, optionId, approval);
    return { answer: { kind: "option", optionId, note, ...(values && { values }) }, ...how };
  }
  return undefined;
}

function holds({ app, question, risk, offers }: Rule, approval: SimulatedQuestion): boolean {
  if (app !== undefined && app !== approval.clientId && app !== approval.app) return false;
  if (question !== undefined && !new RegExp(question, "iu").test(approval.question)) return false;
  if (risk !== undefined && risk !== approval.risk) return false;
  return offers === undefined || approval.options.some(({ id }) => id === offers);
}

/**
 * Returns the rule's values, with the fields' defaults for the others. If the option takes no
 * fields, adds no defaults, so that the service rejects values.
 */
function valuesOf(
  given: Record<string, unknown> | undefined,
  optionId: string,
  { fields, options }: SimulatedQuestion,
): Record<string, unknown> | undefined {
  if (!fields || !options.some((option) => option.id === optionId && option.fields)) return given;
  const defaults = Object.entries(fields.properties).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

const chosen = (option: string | number, { options }: SimulatedQuestion): string | undefined =>
  typeof option === "number" ? options[option - 1]?.id : options.find(({ id }) => id === option)?.id;

/**
 * Records the rules' answer as the owner's. Only the operator's command `countersign simulate` does
 * this.
 * @throws {AppError} 409 if someone else answered first, the deadline has passed, or the question
 *   changed
 */
export const answerSimulated = (
  owner: OwnerActor,
  { id, seen }: SimulatedQuestion,
  { answer }: Simulated,
): Promise<void> => resolveApproval(owner, id, answer, { contentHash: seen, simulated: true });

/**
 * SQL: whether an approval's answer was simulated; NULL if the statement's `caller` can't read the
 * approval. Older answers record this only in their notes.
 */
export const isSimulatedApproval = (id: string): Sql =>
  sql`(
    SELECT coalesce(a.simulated, starts_with(a.resolution ->> 'note', 'Simulated: '))
    FROM approval a
      JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = coalesce(c.app_id, a.app_id)
    WHERE a.id = ${id}
  )`;
