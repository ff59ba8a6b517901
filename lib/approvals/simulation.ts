import { z } from "zod";
import type { OwnerActor } from "@/lib/actor";
import { appName } from "@/lib/apps/sql";
import { type Sql, sql } from "@/lib/database/sql";
import { text } from "@/lib/text/text";
import { resolveApproval } from "./approvals";
import { contentHashOf, isOpen } from "./predicates";
import { type Answer, Approval, type ApprovalOption } from "./schema";

const Pattern = z.string().max(1_000).refine(isPattern, "Is no regular expression");

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, "iu") instanceof RegExp;
  } catch {
    return false;
  }
}

const Rule = z.strictObject({
  /** The asking app, by its client id or its name. Any when left out, as with all of these. */
  app: z.string().optional(),
  /** A regular expression for the question, in any case. */
  question: Pattern.optional(),
  /** How risky the app says that it is. */
  risk: Approval.shape.risk,
  /** The id of an option that is offered. */
  offers: z.string().optional(),
  /** How often the rule holds where all of that does; else the next one is tried. */
  probability: z.number().min(0).max(1).default(1),
  /** An option by its id, or by its place: 1 is the first. Or own words. Or no answer at all. */
  answer: z.union([
    z.strictObject({ option: z.union([z.string(), z.int().min(1).max(20)]), note: z.string().max(1_900).optional() }),
    z.strictObject({ other: text({ max: 10_000, lines: true }), note: z.string().max(1_900).optional() }),
    z.literal("none"),
  ]),
  delayMs: z.int().min(0).max(86_400_000).default(0),
});
type Rule = z.output<typeof Rule>;

/** How a simulated owner answers: by the first rule that holds, or not at all. */
export const Rules = z.strictObject({ rules: z.array(Rule).min(1).max(1_000) });

/** A question that waits. `seen` is the hash of what it asks. */
export type SimulatedQuestion = {
  id: string;
  clientId: string;
  app: string;
  question: string;
  options: ApprovalOption[];
  risk?: Approval["risk"] | null;
  seen: string;
};

/** What these apps wait for the owner to answer, oldest first; with none named, what all of them do. */
export async function waitingFor({ ownerId }: OwnerActor, clientIds: readonly string[]): Promise<SimulatedQuestion[]> {
  const ofApps = clientIds.length === 0 ? sql`true` : sql`a.app_id = ANY (${clientIds})`;
  return sql<SimulatedQuestion>`SELECT a.id, a.app_id AS "clientId", ${appName(sql`a.app_id`)} AS app, a.question, a.options, a.risk, ${contentHashOf} AS seen FROM approval a
     WHERE a.owner_id = ${ownerId} AND ${ofApps} AND ${isOpen} ORDER BY a.created_at, a.id`.rows();
}

export type Simulated = { answer: Answer; delayMs: number; rule: number };

/** What the rules make of a question; undefined where it is left alone. Every answer's note says that nobody gave it. */
export function simulate(
  rules: readonly Rule[],
  asked: SimulatedQuestion,
  chance = Math.random,
): Simulated | undefined {
  for (const [at, rule] of rules.entries()) {
    if (!holds(rule, asked) || (rule.probability < 1 && chance() >= rule.probability)) continue;
    if (rule.answer === "none") return undefined;
    const note = `Simulated: rule ${at + 1}${rule.answer.note ? `. ${rule.answer.note}` : ""}`;
    if ("other" in rule.answer)
      return { answer: { kind: "other", otherText: rule.answer.other, note }, delayMs: rule.delayMs, rule: at + 1 };
    const optionId = chosen(rule.answer.option, asked);
    if (optionId !== undefined)
      return { answer: { kind: "option", optionId, note }, delayMs: rule.delayMs, rule: at + 1 };
  }
  return undefined;
}

function holds({ app, question, risk, offers }: Rule, asked: SimulatedQuestion): boolean {
  if (app !== undefined && app !== asked.clientId && app !== asked.app) return false;
  if (question !== undefined && !new RegExp(question, "iu").test(asked.question)) return false;
  if (risk !== undefined && risk !== asked.risk) return false;
  return offers === undefined || asked.options.some(({ id }) => id === offers);
}

const chosen = (option: string | number, { options }: SimulatedQuestion): string | undefined =>
  typeof option === "number" ? options[option - 1]?.id : options.find(({ id }) => id === option)?.id;

/**
 * Give it as the owner would. Only the operator's command (`countersign simulate`) does, on services that nobody relies on.
 * @throws {AppError} 409 where somebody was quicker, the deadline has passed, or the question changed
 */
export const answerSimulated = (
  owner: OwnerActor,
  { id, seen }: SimulatedQuestion,
  { answer }: Simulated,
): Promise<void> => resolveApproval(owner, id, answer, { contentHash: seen, simulated: true });

/** Whether nobody gave the answer that `caller` reads; of answers from before that was written down, their notes say so. */
export const isSimulatedApproval = (id: string): Sql =>
  sql`(SELECT coalesce(a.simulated, starts_with(a.resolution ->> 'note', 'Simulated: ')) FROM approval a
    JOIN caller c ON a.owner_id = c.owner_id AND a.app_id = c.app_id WHERE a.id = ${id})`;
