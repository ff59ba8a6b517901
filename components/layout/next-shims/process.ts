/** What the client's code reads of Node's `process` (see next.config.js). */
export const env = {};
