import { columnNames, type ExportedTable, type OwnerTable } from "@/lib/database/owner-data-table";
import { type Sql, sql } from "@/lib/database/sql";

export const browsers: ExportedTable = {
  table: "push_subscription",
  columns: columnNames("id service device created_at last_seen_at last_delivered_at"),
  withheld: columnNames("owner_id session_id hash sealed"),
};

export const channels: ExportedTable = {
  table: "alert_channel",
  columns: columnNames("id kind name service created_at last_delivered_at failing_since problem"),
  withheld: columnNames("owner_id key_id sealed failure_reported"),
};

/** Records of past and pending alerts are internal state. */
export const alerts: OwnerTable = { table: "alert", withheld: "whole" };
/** Links are valid for minutes, and stored only as hashes. */
export const answerLinks: OwnerTable = { table: "answer_link", withheld: "whole" };
export const watches: OwnerTable = { table: "alert_cursor", withheld: "whole" };

/** SQL: the data keys that encrypt the credentials of an owner's alert channels. */
export const keysOfChannels = (ownerId: string): Sql => sql`
  SELECT key_id
  FROM alert_channel
  WHERE owner_id = ${ownerId}`;
