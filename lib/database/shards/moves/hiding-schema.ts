/** The schema of the views that hide moving homes (./hidden-homes.ts). */
export const hidingSchema = "placed_homes";

/** SQL: lets a connection prefer the views, if there are any. */
export const searchHiddenHomesFirst = `SELECT set_config(
  'search_path',
  '${hidingSchema}, ' || regexp_replace(current_setting('search_path'), '^${hidingSchema}, ', ''),
  false)`;
