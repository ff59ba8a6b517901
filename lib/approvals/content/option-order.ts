import type { ApprovalOption } from "../content/option-schema";

/**
 * Returns the options in display order. This is the app's order unless its first option is
 * dangerous, in which case all dangerous options come last.
 */
export const displayOptions = (options: ApprovalOption[]): ApprovalOption[] =>
  isDanger(options[0]) ? [...options.filter((it) => !isDanger(it)), ...options.filter(isDanger)] : options;
const isDanger = (option: ApprovalOption | undefined) => option?.style === "danger";
