export const acrossOwners: Record<string, { tables: readonly string[]; because: string }> = {};
