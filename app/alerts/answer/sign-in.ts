/**
 * The sign-in URL that leads to the question, for links that no longer work.
 * @param unsent the message to show there
 */
export const signInPath = (id: string, unsent: "choice" | "link"): string =>
  `/sign-in?next=${encodeURIComponent(`/approvals/${id}`)}&unsent=${unsent}`;
