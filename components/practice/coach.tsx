type CoachProps = {
  /** The label of the latest answer that stands. */
  answered: string | undefined;
  /** Whether an answer was ever taken back. */
  undone: boolean;
  finished: boolean;
  keysAct: boolean;
};

/** What to try next, in one sentence: with keys where there is a keyboard, else by touch. */
export function Coach({ answered, undone, finished, keysAct }: CoachProps) {
  const [byKey, byHand] = sentences(answered, undone, finished);
  return (
    <p role="status" className="min-h-6 text-base font-medium">
      <span className={keysAct ? "max-lg:hidden" : "hidden"}>{byKey}</span>
      <span className={keysAct ? "lg:hidden" : ""}>{byHand}</span>
    </p>
  );
}

function sentences(answered: string | undefined, undone: boolean, finished: boolean): [byKey: string, byHand: string] {
  if (answered === undefined)
    return undone
      ? ["Taken back: it waits again. Answer it with any number.", "Taken back: it waits again. Answer it as you like."]
      : ["Press 1: it answers with the first option, at once.", "Choose an answer. One touch sends it."];
  if (!undone) return ["Answered. Changed your mind? Press u.", "Answered. Changed your mind? Undo is right here."];
  if (finished) return ["Done: one key each.", "Done: one touch each."];
  return ["On to the next one: 1 or 2.", "On to the next one."];
}
