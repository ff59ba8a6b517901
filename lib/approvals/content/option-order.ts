import type { Approval, ApprovalOption } from "../schema";

/**
 * Returns whether one step is enough to answer, as with email links or for several questions
 * together. A high risk requires a second step (`confirmed`), which `holdAnswer` checks.
 */
export const allowsOneTap = ({ risk }: { risk?: Approval["risk"] | null }): boolean => risk !== "high";

/**
 * Returns the options in display order. This is the app's order, unless its first option is
 * dangerous: then all dangerous options come last.
 */
export const displayOptions = (options: ApprovalOption[]): ApprovalOption[] =>
  isDanger(options[0]) ? [...options.filter((it) => !isDanger(it)), ...options.filter(isDanger)] : options;
const isDanger = (option: ApprovalOption | undefined) => option?.style === "danger";
