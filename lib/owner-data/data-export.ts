import type { OwnerActor } from "@/lib/actor";
import { clock } from "@/lib/clock";
import { rowAsJson } from "@/lib/database/owner-data-table";
import { exportedTables } from "./exported-and-deleted-tables";
import { pagesOf } from "./pages-of-rows";

/**
 * Streams all of the owner's data as one JSON object. Times are in ISO 8601. Lists are read one
 * after another, so a concurrent change may appear in only some of them.
 */
export async function* exportData({ ownerId }: OwnerActor): AsyncGenerator<string> {
  yield `{"exportedAt":${JSON.stringify(new Date(clock.now()).toISOString())}`;
  for (const [name, part] of Object.entries(exportedTables)) {
    yield `,\n\n${JSON.stringify(name)}:[`;
    let first = true;
    for await (const rows of pagesOf(part, rowAsJson(part), ownerId)) {
      if (rows.length > 0) yield `${first ? "\n" : ",\n"}${rows.join(",\n")}`;
      if (rows.length > 0) first = false;
    }
    yield "]";
  }
  yield "}\n";
}
