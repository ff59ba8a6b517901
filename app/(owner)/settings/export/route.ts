import { exportData } from "@/lib/owners/data-export";
import { requireOwner } from "@/lib/web/session";

/** Everything of the owner's as a file, read from the database as fast as it is taken. */
export async function GET(): Promise<Response> {
  const owner = await requireOwner("/settings");
  const pieces = exportData(owner);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-disposition": 'attachment; filename="countersign-data.json"',
      ...{ "cache-control": "no-store", "x-content-type-options": "nosniff" },
    },
  });
}
