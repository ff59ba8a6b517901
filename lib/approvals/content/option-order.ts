import type { Approval, ApprovalOption } from "../schema";

/**
 * Returns whether one tap is enough to answer, on a lock screen or for several questions together.
 * High risk requires a second step (`confirmed`), which `holdAnswer` checks.
 */
export const allowsOneTap = ({ risk }: { risk?: Approval["risk"] | null }): boolean => risk !== "high";

/**
 * Returns the options in display order. This is the app's order, but a dangerous option never comes
 * first if there is another.
 */
export const displayOptions = (options: ApprovalOption[]): ApprovalOption[] =>
  isDanger(options[0]) ? [...options.filter((it) => !isDanger(it)), ...options.filter(isDanger)] : options;
const isDanger = (option: ApprovalOption | undefined) => option?.style === "danger";
