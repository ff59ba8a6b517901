import type { ServiceSettings } from "@/lib/config/env";
import { inService } from "@/lib/database/shards/marks";
import { otherShardNames, readPlacement } from "@/lib/database/shards/placement/read-placement";
import { expectShards, type Shard, setPlacement } from "@/lib/database/shards/shard-map";
import { reasonOf } from "@/lib/postgres/connection-check";
import { migrationState } from "@/lib/postgres/migrations";
import { plural } from "@/lib/text/plural";
import { type CheckResult, fail, findingsOr } from "./check-result";

/** `usable`: whether SHARDS lists every shard. `away`: the numbers of shards that do not respond. */
type SeenShards = CheckResult & { usable: boolean; away: ReadonlySet<number> };

/**
 * Checks the shards other than the directory, and makes the later checks of this process use them.
 * Checks that each responds and is migrated, and that SHARDS is complete.
 * @returns undefined if there are none
 */
export async function seeShards({ SHARDS }: ServiceSettings): Promise<SeenShards | undefined> {
  const away = new Set<number>();
  const lacking = (names: readonly string[]) =>
    names.map((name) => fail(`SHARDS lacks the shard ${name}. Set SHARDS to all shards, on every instance.`));
  if (!SHARDS) {
    const names = await inService(otherShardNames);
    return names.length > 0 ? { findings: lacking(names), usable: false, away } : undefined;
  }
  expectShards();
  const { shards, unlisted, ...placement } = await readPlacement();
  const see = async ({ number, name, directUrl, url }: Shard) => {
    try {
      const { missing } = await migrationState((directUrl ?? url) as string);
      const count = plural(missing.length, { one: "# migration", other: "# migrations" });
      return (
        missing.length > 0 &&
        fail(`The shard ${name} lacks ${count}. Run "npm run -s countersign -- migrate", or restart an instance.`)
      );
    } catch (error) {
      away.add(number);
      return fail(`The shard ${name} is unavailable: ${reasonOf(error)}. Start its PostgreSQL, or correct SHARDS.`);
    }
  };
  const found = [...lacking(unlisted), ...(await Promise.all(shards.slice(1).map(see)))];
  await setPlacement({ shards, ...placement });
  return {
    findings: findingsOr(found, `Shards: ${shards.length}. All respond.`),
    usable: unlisted.length === 0,
    away,
  };
}
