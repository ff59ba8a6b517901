"use client";
import { type InboxApproval, suggestedOption } from "@/components/approvals/inbox-approval";
import { KeyCap } from "@/components/keyboard/key-caps";
import { useShortcut } from "@/components/keyboard/use-shortcut";
import { CheckIcon } from "@/components/ui/icons";
import type { ApprovalOption } from "@/lib/approvals/content/option-schema";
import type { Answer } from "@/lib/approvals/schema";
import { optionLook } from "./option-classes";
import { OptionText } from "./option-text";

export type OptionButtonsProps = {
  approval: InboxApproval;
  /** The visible options. */
  options: ApprovalOption[];
  /** The ID of the option that a first press selected but did not send. */
  chosen: string | undefined;
  onChoose: ((id: string) => unknown) | undefined;
  /** Whether two options share a line on a phone. */
  pair?: boolean;
  /** The answer just given, shown briefly. */
  given?: Answer | undefined;
};

/** The options as buttons. No option is preselected. */
export function OptionButtons({ approval, options, chosen, onChoose, given, pair = false }: OptionButtonsProps) {
  const suggested = suggestedOption(approval);
  return options.map((option, index) => (
    <OptionButton
      key={option.id}
      {...{ option, options, index, onChoose, pair }}
      suggests={option === suggested ? approval.app.name : undefined}
      inked={option === suggested && chosen === undefined && !given && approval.risk !== "high"}
      pressed={onChoose || chosen !== undefined ? option.id === chosen : undefined}
      answered={given && given.optionId === option.id}
    />
  ));
}

type OptionButtonProps = {
  option: ApprovalOption;
  /** The option's zero-based position. The first nine options have number keys as shortcuts. */
  index: number;
  /** Whether the option shares a line with the other option on a phone. */
  pair: boolean;
  /** The name of the app that suggests the option. */
  suggests: string | undefined;
  /**
   * Whether the option is highlighted: the app suggests it, no option is selected, and the risk
   * isn't high.
   */
  inked: boolean;
  /** Whether the option is selected. Undefined if a single press sends the option. */
  pressed: boolean | undefined;
  /**
   * True for the option just answered, false for the other options, and undefined before an answer.
   */
  answered: boolean | undefined;
} & Pick<OptionButtonsProps, "options" | "onChoose">;

function OptionButton({ option, index, pressed, answered, onChoose, ...its }: OptionButtonProps) {
  const { pair } = its;
  const dangerous = option.style === "danger";
  // Only the first option has a description, because the help lists all nine keys on one line.
  const key = useShortcut<HTMLButtonElement>(
    index < 9
      ? { shortcut: String(index + 1), description: index === 0 ? "Choose an option by its number" : undefined }
      : {},
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
      className={optionLook({
        dangerous,
        answered,
        inked: its.inked,
        pair,
      })}
    >
      <OptionText {...{ option, answered, pair }} options={its.options} suggests={its.suggests}>
        {answered ? null : <KeyCap shown={index < 9}>{index + 1}</KeyCap>}
      </OptionText>
      {answered ? <CheckIcon className="drawn size-6" /> : null}
    </button>
  );
}
