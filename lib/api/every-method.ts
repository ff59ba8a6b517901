/** Returns a route file's exports, with one handler for all HTTP methods. */
export const everyMethod = <H>(handler: H) => ({
  GET: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
  OPTIONS: handler,
});
