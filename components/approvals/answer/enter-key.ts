type EnterPress = {
  /** The field's name. */
  name: string;
  /** With Ctrl or ⌘. */
  modified: boolean;
  /** Whether it is on the chosen option. */
  onChosen: boolean;
};

/**
 * The part of the form that Enter sends: its own field with a modifier, the chosen option without
 * one. Undefined if the browser handles the key.
 */
export function enterSends({ name, modified, onChosen }: EnterPress, isChosen: boolean) {
  if (!modified) return onChosen ? "choice" : undefined;
  if (name === "otherText") return "own words";
  if (name === "note") return isChosen ? "choice" : undefined;
  return name === "question" ? "question" : undefined;
}

type Buttons = { choice: HTMLButtonElement | null; "own words": HTMLButtonElement | null };

/** For an answer's form: Enter and Ctrl+Enter in its fields. @param buttons that send */
export function onEnter(event: React.KeyboardEvent<HTMLFormElement>, isChosen: boolean, buttons: () => Buttons) {
  if (event.key !== "Enter" || event.repeat || !(event.target instanceof Element)) return;
  const { name, ariaPressed, form } = event.target as HTMLTextAreaElement;
  const modified = event.metaKey || event.ctrlKey;
  const sends = enterSends({ name, modified, onChosen: ariaPressed === "true" }, isChosen);
  // The question to the app has a form of its own.
  if (sends === "question") return form?.requestSubmit();
  if (!sends) return;
  event.preventDefault();
  const button = buttons()[sends];
  if (button) event.currentTarget.requestSubmit(button);
}
