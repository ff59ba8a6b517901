"use client";
import { Danger } from "@/components/approvals/danger";
import { KeyCap } from "@/components/keys/key-caps";
import { useShortcut } from "@/components/keys/shortcut";
import { Badge } from "@/components/ui/badge";
import { CheckIcon } from "@/components/ui/icons";
import type { Answer, ApprovalOption } from "@/lib/approvals/schema";

type OptionButtonsProps = {
  options: ApprovalOption[];
  suggested: ApprovalOption | undefined;
  /** The ID of the option that is chosen but not sent, where a press only chooses. */
  chosen: string | undefined;
  onChoose: ((id: string) => unknown) | undefined;
  /** The answer just given, shown briefly. */
  given?: Answer | undefined;
};

/** The options as buttons that send; none is preselected. */
export function OptionButtons({ options, suggested, chosen, onChoose, given }: OptionButtonsProps) {
  const labels = options.map(({ label }) => label.trim().toLowerCase());
  const isOneOfTwo = ({ label }: ApprovalOption) => {
    const same = label.trim().toLowerCase();
    return labels.indexOf(same) !== labels.lastIndexOf(same);
  };
  return options.map((option, index) => (
    <OptionButton
      key={option.id}
      {...{ option, index, onChoose }}
      suggested={option === suggested}
      pressed={onChoose || chosen !== undefined ? option.id === chosen : undefined}
      named={isOneOfTwo(option)}
      answered={given && given.optionId === option.id}
    />
  ));
}

type OptionButtonProps = {
  option: ApprovalOption;
  /** Its index from 0: the first nine have a key. */
  index: number;
  suggested: boolean;
  /** Whether it is chosen; undefined if a press sends. */
  pressed: boolean | undefined;
  /** Whether its ID is shown, because its label is not unique. */
  named: boolean;
  /** True for the option just answered, false for the others. */
  answered: boolean | undefined;
} & Pick<OptionButtonsProps, "onChoose">;

function OptionButton({ option, index, suggested, pressed, named, answered, onChoose }: OptionButtonProps) {
  const dangerous = option.style === "danger";
  // The help shows one line for all nine.
  const key = useShortcut<HTMLButtonElement>(
    index < 9 ? { shortcut: String(index + 1), description: index === 0 ? "Answer with that option" : undefined } : {},
  );
  return (
    <button
      type="submit"
      name="optionId"
      value={option.id}
      formNoValidate
      {...key}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      onClick={(event) => {
        if (!onChoose) return;
        event.preventDefault();
        onChoose(option.id);
      }}
      className={`flex min-h-13 w-full items-start gap-3 rounded-lg border px-3.5 py-3 text-start transition-colors duration-100 disabled:cursor-not-allowed disabled:opacity-55 ${
        answered
          ? "border-ink bg-ink text-on-ink"
          : `bg-raised aria-pressed:border-2 ${
              dangerous
                ? "border-danger enabled:hover:bg-danger-soft aria-pressed:bg-danger-soft"
                : "border-edge enabled:hover:border-ink enabled:hover:bg-fill aria-pressed:border-ink aria-pressed:bg-fill"
            } ${answered === false ? "text-muted" : "text-(color:--unarmed)"}`
      }`}
    >
      <KeyCap shown={index < 9}>{index + 1}</KeyCap>
      <span className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-base font-medium">
            {answered ? "Answered · " : null}
            <bdi>{option.label}</bdi>
          </span>
          {dangerous && !answered ? <Danger>Danger</Danger> : null}
          {pressed ? <Badge tone="solid">Chosen</Badge> : null}
          {suggested ? <Badge tone="neutral">Suggested</Badge> : null}
          {named ? <span className="mono text-muted">{option.id}</span> : null}
        </span>
        {option.note ? (
          <span dir="auto" className={`mt-0.5 block ${answered ? "" : "text-muted"}`}>
            {option.note}
          </span>
        ) : null}
      </span>
      {answered ? <CheckIcon className="drawn size-6" /> : null}
    </button>
  );
}
