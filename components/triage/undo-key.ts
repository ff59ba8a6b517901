/** The key that takes back what was done last, wherever a list is gone through: for what binds it, and for the buttons that say it. */
export const undoKey = { keys: "u", says: "Undo what you did last" } as const;
