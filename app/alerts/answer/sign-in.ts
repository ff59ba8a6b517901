/** Where whoever has no link that works signs in, and comes to the question. @param unsent what is said there */
export const signInPath = (id: string, unsent: "choice" | "link"): string =>
  `/sign-in?next=${encodeURIComponent(`/approvals/${id}`)}&unsent=${unsent}`;
