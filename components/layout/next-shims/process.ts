/** The part of Node's `process` that client code reads (see next.config.js). */
export const env = {};
