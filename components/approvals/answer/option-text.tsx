import { WarningIcon } from "@/components/ui/icons";
import type { ApprovalOption } from "@/lib/approvals/content/option-schema";

type OptionTextProps = {
  option: ApprovalOption;
  /** All of the question's options, used to tell apart options with equal labels. */
  options: readonly ApprovalOption[];
  /** The name of the app that suggests the option. */
  suggests: string | undefined;
  /** Whether the option is the answer just given. */
  answered?: boolean | undefined;
  /** Whether the option shares a line with another option on a phone. */
  pair: boolean;
  /** The option's shortcut key, shown before the suggestion. */
  children?: React.ReactNode;
};

/**
 * The maximum total length, in characters, for a label and a note to share a line on wide screens.
 */
const maxLine = 56;

/** An option's label and note. Danger is marked by color and an icon, a suggestion by text. */
export function OptionText({ option, options, suggests, answered = false, pair, children }: OptionTextProps) {
  const { label, note, style } = option;
  const same = label.trim().toLowerCase();
  const isOneOfTwo = options.filter((it) => it.label.trim().toLowerCase() === same).length > 1;
  const dangerous = style === "danger";
  const isLine = note !== undefined && label.length + note.length <= maxLine;
  return (
    <>
      {dangerous && !answered ? <WarningIcon className="mt-1 size-4 max-sm:mt-0.5" /> : null}
      <span className={`min-w-0 ${pair ? "sm:grow" : "grow"}`}>
        <span className="text-base font-medium">
          {answered ? "Answered · " : null}
          <bdi>{label}</bdi>
        </span>
        {dangerous ? <span className="sr-only"> (danger)</span> : null}
        {isOneOfTwo ? <span className="mono ms-2">{option.id}</span> : null}
        {note ? (
          <span dir="auto" className={`block text-(color:--note) ${isLine ? "sm:inline" : ""}`}>
            {isLine ? <span className="max-sm:hidden"> · </span> : null}
            {note}
          </span>
        ) : null}
        {pair && suggests !== undefined ? (
          <span className="block text-xs text-(color:--note) sm:hidden">Suggested</span>
        ) : null}
      </span>
      {children}
      {suggests === undefined ? null : (
        <span
          className={`flex max-w-56 text-xs leading-6 whitespace-pre text-(color:--note) ${pair ? "max-sm:hidden" : ""}`}
        >
          <bdi className="truncate">{suggests}</bdi> suggests
        </span>
      )}
    </>
  );
}
