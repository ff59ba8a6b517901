import { type ApprovalRecord, goodReads, lastRead } from "./approval-record";
import { movedDeadline } from "./frozen-periods";
import { type Answer, isBefore, type Resolve } from "./history";

/*
 * An approval is a register that is written at most once: by the app, by the owner or, after the
 * deadline, by the default. Each write has a different note, so that the checker knows whose answer a
 * reader saw.
 */

/** The note of an answer that was recorded by default. */
export const defaultNote = "Deadline passed";
/** How far the database's clock and ours may differ, in milliseconds. */
const clockMargin = 100;
/** Within this time after a deadline, the service must have recorded it, in milliseconds. */
const settleMs = 20_000;

export function checkAnswers(record: ApprovalRecord): string[] {
  return [
    ...checkPresence(record),
    ...checkAnswerOnce(record),
    ...checkAuthor(record),
    ...checkReadOrder(record),
    ...checkAcknowledged(record),
    ...checkRefusals(record),
    ...checkUndos(record),
    ...checkDeadline(record),
  ];
}

/** The notes of all answers that anyone saw. */
const notesOf = (record: ApprovalRecord): string[] => [
  ...new Set([...goodReads(record).flatMap(({ seen }) => notesIn(seen)), ...record.reported.flatMap(notesIn)]),
];
const notesIn = ({ note }: { note?: string | undefined }) => (note === undefined ? [] : [note]);

/** Returns the write of the answer that the approval has; undefined for the default and while pending. */
export function winnerOf(record: ApprovalRecord): Resolve | Answer | undefined {
  const [note] = notesOf(record);
  return record.writes.find((write) => write.note === note);
}

function checkPresence({ ask, reads, name }: ApprovalRecord): string[] {
  if (ask?.outcome !== "ok") return [];
  const missing = reads.some((read) => read.status === 404 && isBefore(ask, read));
  return missing ? [`The acknowledged question ${name} is missing.`] : [];
}

function checkAnswerOnce(record: ApprovalRecord): string[] {
  const notes = notesOf(record);
  if (notes.length < 2) return [];
  return [`Readers saw several answers to ${record.name}: ${notes.join(", ")}.`];
}

/** Each answer must come from a write that was not refused, and must not be seen before the write began. */
function checkAuthor(record: ApprovalRecord): string[] {
  const { name, writes, ask } = record;
  return notesOf(record).flatMap((note) => {
    if (note === defaultNote && ask?.terms.defaultOption !== undefined) return [];
    const write = writes.find((it) => it.note === note);
    if (!write) return [`The answer "${note}" to ${name} is one that nobody gave.`];
    if (write.outcome === "refused") return [`The answer "${note}" to ${name} was refused, but counts.`];
    const early = goodReads(record).some(({ seen, ended }) => seen.note === note && ended.at < write.began.at);
    return early ? [`A reader saw the answer "${note}" to ${name} before it was given.`] : [];
  });
}

/** A read that began after another one ended must not show an earlier state. */
function checkReadOrder(record: ApprovalRecord): string[] {
  const reads = goodReads(record);
  const firstResolved = reads
    .filter(({ seen }) => seen.status === "resolved")
    .reduce((first, { ended }) => Math.min(first, ended.at), Number.POSITIVE_INFINITY);
  const back = reads.some(({ seen, began }) => seen.status === "pending" && began.at > firstResolved);
  const problems = back ? [`A reader saw ${record.name} as pending after another reader saw its answer.`] : [];
  const torn = reads.some(({ seen }) => (seen.status === "resolved") !== (seen.note !== undefined));
  return torn
    ? [...problems, `A reader saw ${record.name} as pending with an answer, or as resolved without.`]
    : problems;
}

/** An acknowledged answer must be the one that counts, and later reads must show it. */
function checkAcknowledged(record: ApprovalRecord): string[] {
  const { name, writes } = record;
  const notes = notesOf(record);
  return writes
    .flatMap((write) => {
      if (write.outcome !== "ok" || (write.op === "answer" && write.held)) return [];
      if (notes.some((note) => note !== write.note))
        return [`The answer "${write.note}" to ${name} was acknowledged, but another one counts.`];
      const stale = goodReads(record).some((read) => isBefore(write, read) && read.seen.status === "pending");
      if (stale) return [`A reader saw ${name} as pending after the answer "${write.note}" was acknowledged.`];
      return [];
    })
    .concat(checkHeld(record));
}

/** A held answer must count in the end, unless something came first that ends the hold. */
function checkHeld(record: ApprovalRecord): string[] {
  const { name, writes, undos, adds, freezes } = record;
  const final = lastRead(record);
  if (!final || final.seen.status === "resolved") return [];
  return writes.flatMap((write) => {
    if (write.op !== "answer" || write.outcome !== "ok" || !write.held) return [];
    const ends = [...undos, ...adds, ...freezes].some((it) => it.outcome !== "refused" && it.ended.at > write.began.at);
    if (ends || final.began.at < write.ended.at + settleMs) return [];
    return [`The held answer "${write.note}" to ${name} is lost.`];
  });
}

/** "Already resolved" is only true if another answer can have come first. */
function checkRefusals(record: ApprovalRecord): string[] {
  const { name, writes, ask } = record;
  const winner = winnerOf(record);
  const passesFrom = ask?.terms.deadline === undefined ? Number.POSITIVE_INFINITY : deadlineOf(record).from;
  return writes.flatMap((write) => {
    if (write.op !== "resolve" || write.status !== 409) return [];
    if (winner === write && write.outcome === "unknown")
      return [`The repeated answer "${write.note}" to ${name} was refused, although it is the one that counts.`];
    if (passesFrom <= write.ended.at + clockMargin) return [];
    if (winner && winner.began.at < write.ended.at) return [];
    return [`The answer "${write.note}" to ${name} was refused, although no other answer came first.`];
  });
}

/** After an acknowledged undo, no answer from before may count. */
function checkUndos(record: ApprovalRecord): string[] {
  const notes = new Set(notesOf(record));
  return record.undos.flatMap((undo) => {
    if (undo.outcome !== "ok" || !undo.undone) return [];
    return record.writes.flatMap((write) => {
      const isUndone = write.op === "answer" && write.outcome === "ok" && isBefore(write, undo);
      return isUndone && notes.has(write.note)
        ? [`The answer "${write.note}" to ${record.name} was undone, but counts.`]
        : [];
    });
  });
}

const deadlineOf = ({ ask, freezes }: ApprovalRecord) =>
  movedDeadline(ask?.terms.deadline ?? Number.POSITIVE_INFINITY, ask?.ended.at ?? 0, freezes);

/** The deadline is kept: no default before it, no answer after it, and afterwards it is recorded. */
function checkDeadline(record: ApprovalRecord): string[] {
  const { ask, name, writes } = record;
  if (ask?.terms.deadline === undefined) return [];
  const { from, to } = deadlineOf(record);
  const problems: string[] = [];
  for (const { seen } of goodReads(record))
    if (seen.note === defaultNote && (seen.resolvedAt ?? 0) < from - clockMargin)
      problems.push(`The default of ${name} was recorded before its deadline.`);
  const wrong = goodReads(record).some(
    ({ seen }) => seen.note === defaultNote && (seen.optionId !== ask.terms.defaultOption || seen.resolvedBy !== "api"),
  );
  if (wrong) problems.push(`The default of ${name} is not the one that the app set.`);
  for (const write of writes)
    if (write.outcome === "ok" && write.began.at > to + clockMargin)
      problems.push(`The answer "${write.note}" to ${name} was accepted after the deadline.`);
  const final = lastRead(record);
  if (final && final.began.at > to + settleMs && final.seen.status === "pending") {
    if (ask.terms.defaultOption !== undefined)
      problems.push(`The deadline of ${name} passed, but its default is missing.`);
    else if (!final.seen.deadlinePassed) problems.push(`The deadline of ${name} passed, but was not recorded.`);
  }
  return [...new Set(problems)];
}
