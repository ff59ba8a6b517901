import { hash } from "node:crypto";
import { canonicalJson } from "@/lib/client/canonical-json";
import { env } from "@/lib/config/env";
import type { Answer } from "../schema";
import type { StatedAnswer, Statement } from "./schema";

/** An answer to a question. `seen` is the hash of the question as the owner saw it. */
export type AnswerToSign = { id: string; seen: string; answer: Answer };

/**
 * Returns the statement about answers to questions of one app, as canonical JSON.
 * @param offeredAt when the service offered to sign, in epoch milliseconds
 */
export function statementOf(
  { owner, app, offeredAt }: Pick<Statement, "owner" | "app" | "offeredAt">,
  answers: readonly AnswerToSign[],
): Statement {
  return {
    answers: answers.map(stated),
    app,
    issuer: env().publicUrl,
    offeredAt,
    owner,
    type: "countersign-answer",
    version: 1,
  };
}

const stated = ({ id, seen, answer }: AnswerToSign): StatedAnswer => ({
  approval: id,
  contentHash: seen,
  ...(answer.optionId !== undefined && { option: answer.optionId }),
  ...(answer.otherText !== undefined && { textHash: hashOf(answer.otherText) }),
  ...(answer.values !== undefined && { values: answer.values }),
  ...(answer.note !== undefined && { noteHash: hashOf(answer.note) }),
});

const hashOf = (text: string) => `sha256:${hash("sha256", text, "hex")}`;

/** Returns the WebAuthn challenge for a statement: the SHA-256 of its canonical JSON, in base64url. */
export const challengeOf = (statement: string): string => hash("sha256", statement, "base64url");

/** Returns a statement's or a signing request's text, which is the same everywhere (RFC 8785). */
export const canonicalText = (it: object): string => canonicalJson(it);
