import type { ServiceSettings } from "@/lib/config/env";
import { readPlacement } from "@/lib/database/shards/placement/read-placement";
import { expectShards, setPlacement } from "@/lib/database/shards/shard-map";
import { reasonOf } from "@/lib/postgres/connection-check";
import { migrationState } from "@/lib/postgres/migrations";
import { plural } from "@/lib/text/plural";
import { type CheckResult, fail, findingsOr } from "./check-result";

/**
 * Checks the shards other than the directory, if there are any, and makes the later checks of this
 * process use them. Checks that each responds and is migrated, and that SHARDS is complete.
 */
export async function seeShards({ SHARDS }: ServiceSettings): Promise<CheckResult | undefined> {
  if (!SHARDS) return undefined;
  expectShards();
  const { shards, unlisted, ...placement } = await readPlacement();
  const checks = shards.slice(1).map(async ({ name, directUrl, url }) => {
    try {
      const { missing } = await migrationState((directUrl ?? url) as string);
      return (
        missing.length > 0 &&
        fail(
          `The shard ${name} lacks ${plural(missing.length, { one: "# migration", other: "# migrations" })}. Run "npm run -s countersign -- migrate".`,
        )
      );
    } catch (error) {
      return fail(`The shard ${name} is unavailable: ${reasonOf(error)}. Start its PostgreSQL, or correct SHARDS.`);
    }
  });
  const lacking = unlisted.map((name) =>
    fail(`SHARDS lacks the shard ${name}. Set SHARDS to all shards, on every instance.`),
  );
  const findings = findingsOr([...lacking, ...(await Promise.all(checks))], `Shards: ${shards.length}. All respond.`);
  await setPlacement({ shards, ...placement });
  return { findings };
}
