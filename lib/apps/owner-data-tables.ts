import { columnNames, type ExportedTable } from "@/lib/database/owner-data-table";

export const registered: ExportedTable = {
  table: "app",
  columns: columnNames("id kind name redirect_uris grant_types declared_scopes client_metadata created_at deleted_at"),
  withheld: columnNames(`
    owner_id name_skeleton name_folded secret_hash secret_last4 secret_used_at old_secret_hash old_secret_last4
    old_secret_until old_secret_used_at metadata_url metadata_fresh_until
    metadata_good_until`),
};
