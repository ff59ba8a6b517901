/**
 * Database tests that cannot run with several databases, with the reasons.
 * @type {readonly string[]}
 */
export const onOneDatabase = [
  // They create their own databases or placements.
  "lib/database/shards/**",
];
