import type { ApprovalOption } from "@/lib/approvals/content/option-schema";

/** The maximum length, in characters, of a label that fits half a line on a phone. */
const shortLabel = 16;

/** Whether there are two options that fit next to each other on a phone. */
export const areShort = (options: readonly Pick<ApprovalOption, "label" | "note">[]): boolean =>
  options.length === 2 && options.every(({ label, note }) => label.length <= shortLabel && !note);

type OptionState = {
  dangerous: boolean;
  /**
   * True for the option just answered, false for the other options, and undefined before an answer.
   */
  answered: boolean | undefined;
  /** Whether the app suggests the option and no option is selected. */
  inked: boolean;
  /** Whether the option shares a line with the other option on a phone. */
  pair: boolean;
};

/**
 * Returns an option's classes: gray by default, dark when selected, and green once it is the
 * answer. A dangerous option is red, and dark once it is the answer.
 */
export function optionLook({ dangerous, answered, inked, pair }: OptionState): string {
  const place = pair ? "max-sm:min-h-14 max-sm:items-center max-sm:justify-center max-sm:text-center" : "";
  return `flex min-h-11.5 w-full flex-wrap items-start gap-x-3 rounded-lg border px-4 py-2.5 text-start transition-colors [--note:var(--color-muted)] low:py-1.5 sm:flex-nowrap disabled:cursor-not-allowed disabled:opacity-55 ${place} ${
    answered
      ? dangerous
        ? "border-transparent bg-ink text-on-ink [--note:var(--color-on-ink)]!"
        : "border-transparent bg-yes text-on-yes [--note:var(--color-on-yes)]!"
      : `bg-fill ${dangerous ? dangerLook : inked ? (pair ? inkOnPhone : suggestedLook) : plainLook} ${
          answered === false ? "text-muted" : dangerous ? "" : "text-(color:--unarmed)"
        }`
  }`;
}

const chosenLook =
  "aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-on-ink aria-pressed:[--note:var(--color-on-ink)]";
const plainLook = `border-transparent enabled:hover:border-edge ${chosenLook}`;
const suggestedLook = `border-ink ${chosenLook}`;
const inkOnPhone = `${suggestedLook} max-sm:bg-ink max-sm:text-on-ink max-sm:[--note:var(--color-on-ink)]`;
const dangerLook =
  "border-transparent text-danger enabled:hover:border-danger aria-pressed:border-danger aria-pressed:bg-danger-soft";
