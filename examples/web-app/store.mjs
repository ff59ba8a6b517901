import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

// A replacement for your database: tokens by owner ID, and deployments by approval ID.
const file = "store.json";
export const stored = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { tokens: {}, deployments: {} };

export function save() {
  writeFileSync(`${file}.new`, JSON.stringify(stored), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
