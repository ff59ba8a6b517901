import { skeletons } from "@/lib/text/confusables";

/**
 * Phrases that only this service has reason to use. They are normalized, so that look-alike
 * characters match too.
 */
const ours = `
  countersign, your password, your passkey, enter password, enter the password, recovery code,
  sign in again, log in again, session expires, session has expired`
  .split(",")
  .map((words) => skeletons(words.trim()).folded);

/**
 * Whether an app's text could pass for this service's text, because it names the service or asks
 * for something that only the service asks for. Takes up to 20 ms for 20,000 characters if few of
 * them are ASCII.
 */
export const impersonates = (texts: readonly string[]): boolean =>
  texts.some((text) => {
    const { written, folded } = skeletons(text);
    return ours.some((words) => written.includes(words) || folded.includes(words));
  });
