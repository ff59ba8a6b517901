"use client";
import { useEffect, useRef, useState } from "react";
import { useKeys } from "@/components/keys/keys";
import { useSingleKeys } from "@/components/keys/single-keys";
import { AppIcon } from "@/components/ui/app-icon";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { CheckIcon } from "@/components/ui/icons";
import { useAlive } from "@/components/ui/use-alive";
import { rememberPractice } from "./practised";

/** Something to answer that nobody asked. It lives in this file and in the browser, and nowhere else. */
type PracticeQuestion = {
  id: string;
  from: string;
  question: string;
  background: string;
  options: { id: string; label: string; note?: string }[];
};

const practiceQuestions: PracticeQuestion[] = [
  {
    id: "bread",
    from: "Kitchen helper",
    question: "We are out of bread. Order the usual loaf for tomorrow morning?",
    background: "The baker takes orders until 18:00. The usual loaf is 3.20.",
    options: [
      { id: "order", label: "Order it" },
      { id: "two", label: "Order two", note: "There are guests on Saturday" },
      { id: "skip", label: "Not this time" },
    ],
  },
  {
    id: "reply",
    from: "Post room",
    question: "Ana asks whether Thursday at ten suits you. What shall I answer?",
    background: "Your calendar is free from nine to noon that day.",
    options: [
      { id: "yes", label: "Thursday at ten is fine" },
      { id: "friday", label: "Suggest Friday instead" },
    ],
  },
];

/** One answer of the practice, the latest last. */
type Given = { question: PracticeQuestion; label: string };

/** Two made-up questions that teach to answer with one key and to take an answer back. Nothing of it leaves the browser. */
export function Practice() {
  const [given, setGiven] = useState<Given[]>([]);
  const [undone, setUndone] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const touched = useRef(false);
  const alive = useAlive();
  const keysAct = useSingleKeys();
  const current = practiceQuestions[given.length];
  const last = given.at(-1);

  const answer = (at: number) => {
    const option = current?.options[at];
    if (!current || !option) return;
    touched.current = true;
    setGiven([...given, { question: current, label: option.label }]);
    rememberPractice();
  };
  const undo = () => {
    if (given.length === 0) return;
    touched.current = true;
    setGiven(given.slice(0, -1));
    setUndone(true);
  };
  useKeys("Practice", [
    ...[0, 1, 2].map((at) => ({ keys: String(at + 1), run: () => answer(at) })),
    { keys: "u", says: "Take the practice answer back", run: undo },
    { keys: "Mod+z", run: undo },
  ]);
  // What comes next is read out, and where a keyboard goes on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves only when another question stands here
  useEffect(() => {
    if (touched.current) heading.current?.focus();
  }, [given.length]);

  if (!alive)
    return <p className="min-h-96 text-muted">The practice needs JavaScript. Answering real questions does not.</p>;
  return (
    <div id="practice" data-keys={keysAct ? "on" : "off"} className="grid min-h-96 grid-cols-1 content-start gap-4">
      <Coach answered={last?.label} undone={undone} finished={!current} keysAct={keysAct} />
      {last ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-ok bg-ok-soft px-4 py-2.5">
          <CheckIcon className="size-5 text-ok" />
          <p className="min-w-0 grow">
            <span className="block truncate text-muted">{last.question.question}</span>
            You: <span className="font-semibold">{last.label}</span>
          </p>
          <Button size="small" onClick={undo} aria-keyshortcuts="u">
            <Key>u</Key> Undo
          </Button>
        </div>
      ) : null}
      {current ? (
        <article aria-labelledby="practice-question" className="grid gap-3">
          <div className="rounded-xl border border-line bg-raised shadow-card">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 border-b border-line px-4 py-2.5 text-muted">
              <AppIcon name={current.from} className="size-7" />
              <span className="font-semibold text-text">{current.from}</span>
              <Badge tone="accent">Practice</Badge>
              <span className="ms-auto tabular-nums">
                {given.length + 1} of {practiceQuestions.length}
              </span>
            </p>
            <div className="grid gap-3 px-4 py-4 sm:px-5">
              <h2 id="practice-question" ref={heading} tabIndex={-1} className="text-lg text-pretty outline-none">
                {current.question}
              </h2>
              <p>{current.background}</p>
            </div>
          </div>
          <fieldset className="grid gap-2">
            <legend className="sr-only">Your answer</legend>
            {current.options.map(({ id, label, note }, at) => (
              <button
                key={id}
                type="button"
                aria-keyshortcuts={String(at + 1)}
                onClick={() => answer(at)}
                className="flex min-h-13 w-full items-start gap-3 rounded-lg border border-edge bg-raised px-3.5 py-3 text-start transition-colors duration-100 hover:border-accent hover:bg-accent-soft"
              >
                <Key>{at + 1}</Key>
                <span className="min-w-0">
                  <span className="block text-base font-medium">{label}</span>
                  {note ? <span className="mt-0.5 block text-muted">{note}</span> : null}
                </span>
              </button>
            ))}
          </fieldset>
        </article>
      ) : (
        <div className="grid justify-items-start gap-3 rounded-xl border border-line bg-raised px-5 py-5 shadow-card">
          <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
            That is all there is to it
          </h2>
          <p className="max-w-[60ch]">
            Real questions look the same, without the word Practice. A real answer counts at once, unless you give
            yourself some seconds to take it back: that is in Settings, under Answering.
          </p>
          <div className="flex flex-wrap gap-2">
            <ButtonLink href="/approvals" variant="primary">
              To the inbox
            </ButtonLink>
            <Button
              onClick={() => {
                setGiven([]);
                setUndone(false);
              }}
            >
              Once more
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

/** The key that does the same; only where a keyboard is likely. */
const Key = ({ children }: { children: React.ReactNode }) => (
  <span
    aria-hidden="true"
    className="hidden size-6 shrink-0 items-center justify-center rounded border border-line bg-bg text-xs text-muted tabular-nums in-data-[keys=off]:hidden! lg:inline-flex"
  >
    {children}
  </span>
);

type CoachProps = {
  /** The label of the latest answer that stands. */
  answered: string | undefined;
  /** Whether an answer was ever taken back. */
  undone: boolean;
  finished: boolean;
  keysAct: boolean;
};

/** What to try next, in one sentence: with keys where there is a keyboard, else by touch. */
function Coach({ answered, undone, finished, keysAct }: CoachProps) {
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
