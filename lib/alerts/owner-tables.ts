import { names, type OwnerTable, type TakenTable } from "@/lib/owner-table";

export const browsers: TakenTable = {
  table: "push_subscription",
  columns: names("id service device created_at last_seen_at last_told_at"),
  withheld: names("owner_id session_id hash sealed"),
};

export const channels: TakenTable = {
  table: "alert_channel",
  columns: names("id kind name service created_at last_told_at failing_since problem"),
  withheld: names("owner_id key_id sealed failing_told"),
};

/** Only what has been told and what is to be told next. */
export const alerts: OwnerTable = { table: "alert", withheld: "whole" };
/** Good for minutes, and only as hashes here. */
export const answerLinks: OwnerTable = { table: "answer_link", withheld: "whole" };
export const watches: OwnerTable = { table: "alert_watch", withheld: "whole" };
