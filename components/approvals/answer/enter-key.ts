type EnterPress = {
  /** The name of the field with the focus. */
  name: string;
  /** Whether Ctrl or ⌘ is down. */
  modified: boolean;
  /** Whether the chosen option has the focus. */
  onChosen: boolean;
};

/**
 * Returns what Enter sends. With Ctrl or ⌘, that is the current field or, in a note, the chosen
 * option. Otherwise, it is the chosen option if that has the focus. Undefined if the browser
 * handles the key.
 */
export function enterSends({ name, modified, onChosen }: EnterPress, isChosen: boolean) {
  if (!modified) return onChosen ? "choice" : undefined;
  if (name === "otherText") return "own words";
  if (name === "note") return isChosen ? "choice" : undefined;
  return name === "question" ? "question" : undefined;
}

type Buttons = { choice: HTMLButtonElement | null; "own words": HTMLButtonElement | null };

/**
 * Handles Enter and Ctrl+Enter in the fields of an answer's form. @param buttons the buttons that
 * send
 */
export function onEnter(event: React.KeyboardEvent<HTMLFormElement>, isChosen: boolean, buttons: () => Buttons) {
  if (event.key !== "Enter" || event.repeat || !(event.target instanceof Element)) return;
  const { name, ariaPressed, form } = event.target as HTMLTextAreaElement;
  const modified = event.metaKey || event.ctrlKey;
  const sends = enterSends({ name, modified, onChosen: ariaPressed === "true" }, isChosen);
  // The question to the app has a separate form.
  if (sends === "question") return form?.requestSubmit();
  if (!sends) return;
  event.preventDefault();
  const button = buttons()[sends];
  if (button) event.currentTarget.requestSubmit(button);
}
