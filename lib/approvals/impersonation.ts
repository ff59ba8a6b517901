import { skeletons } from "@/lib/text/confusables";

/** What only this service has reason to say to an owner, folded so that look-alikes are found too. */
const ours = [
  "countersign",
  "your password",
  "your passkey",
  "enter password",
  "enter the password",
  "recovery code",
  "sign in again",
  "log in again",
  "session expires",
  "session has expired",
].map((words) => skeletons(words).folded);

/**
 * Whether an app's words might pass for this service's own: they name it, or ask for what only it asks for. 20,000 characters take up to
 * 20 ms where few of them are ASCII.
 */
export const impersonates = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const { written, folded } = skeletons(text);
    return ours.some((words) => written.includes(words) || folded.includes(words));
  });
