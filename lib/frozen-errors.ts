import { AppError } from "./errors";

/**
 * Returns a 403 for an app that is frozen. The token stays valid and works again once the owner
 * unfreezes the app.
 */
export const frozenApp = () => new FrozenApp();
export class FrozenApp extends AppError {
  constructor() {
    super(403, "Forbidden", {
      details: [
        { path: "", message: "The owner froze this app. Stop, and try again after the owner unfreezes it.", reason },
      ],
    });
  }
}
const reason = "frozen";

/** Returns a 409 for an owner's test of the service's own app, while that app is frozen. */
export const appsFrozen = () => new AppError(409, "All apps are frozen. Unfreeze them, then try again.");

/** Returns a 409 for an owner's answer to a frozen question. Nothing was decided. */
export const frozenQuestion = () => new FrozenQuestion();
export class FrozenQuestion extends AppError {
  constructor() {
    super(409, "This question is frozen. Unfreeze its app, then answer.");
  }
}
