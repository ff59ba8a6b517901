import type { Approval } from "../schema";

/**
 * Returns whether one step is enough to answer, as with email links or for several questions
 * together. A high risk requires a second step (`confirmed`), which `holdAnswer` checks.
 */
export const allowsOneTap = ({ risk }: { risk?: Approval["risk"] | null }): boolean => risk !== "high";
