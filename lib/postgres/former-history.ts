/*
 * Before 0.1.0, one initial schema replaced all migrations, so databases from before cannot be
 * migrated.
 */

/** The first migration of these databases. */
const firstMigration = "20261120000000_initial";

/** The last commit that migrates these databases. It can export their owners. */
export const lastFormerCommit = "6e8f058559804791f49037f5dbb64919006fc1f7";

/**
 * Returns the reason for the operator why a database is refused, if it is from before the initial
 * schema.
 * @param unknown the names of the applied migrations that this version lacks
 */
export const refusalOfFormer = (unknown: readonly string[]): string | undefined =>
  unknown.includes(firstMigration)
    ? `This database is from before version 0.1.0. Keep the database, and check out the commit ${lastFormerCommit}. Run "owner export EMAIL > FILE" there for each owner. Then run "owner import FILE" with this version and an empty database.`
    : undefined;
