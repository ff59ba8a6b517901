/** The number of shards beside the directory, in TEST_SHARDS. Zero in all other runs. */
export const shardCount = Number(process.env.TEST_SHARDS ?? 0);
