/** The number of shards beside the directory in database and process tests; 0 without TEST_SHARDS. */
export const testShards = Number(process.env.TEST_SHARDS ?? 0);
