/** Uses one handler for all methods of a route file. */
export const everyMethod = <H>(handler: H) => ({
  GET: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
  OPTIONS: handler,
});
