/**
 * Returns the number of nulls and empty lists, and their positions, so that the same use of a
 * statement counts in every run. PostgreSQL may leave such conditions out of a plan.
 */
export function emptyValues(values: readonly unknown[]): string {
  const isEmpty = (value: unknown) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const positions = values.map((value) => (isEmpty(value) ? "1" : "0"));
  return `${String(positions.filter((it) => it === "1").length).padStart(3, "0")} ${positions.join("")}`;
}
