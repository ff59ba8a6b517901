/** Database tests that cannot run with several databases, with the reasons. */
export const onOneDatabase: readonly string[] = [
  // They create their own databases or placements.
  "lib/database/shards/**",
];
