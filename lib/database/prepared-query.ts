import pg from "pg";

/** Members of pg's connections, results and queries that pg's types do not declare. */
type Connection = { describe(message: object): void };
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown };
type PgQuery = pg.Query & {
  text: string;
  name: string;
  _result: Columns;
  _accumulateRows: boolean;
  hasBeenParsed(connection: Connection): boolean;
  prepare(connection: Connection): void;
  handleRowDescription(message: object): void;
};
const PgQuery = pg.Query as unknown as new (text: string, values: unknown[]) => PgQuery;

/**
 * A connection that does not ask for the columns of results, and the columns of its prepared
 * statements by statement name.
 */
type Described = { quiet: Connection; columns: Map<string, Columns> };
const connections = new WeakMap<Connection, Described>();

/**
 * The names of statements by their text, for Prisma's transactions, which know only the text. Other
 * statements are not worth preparing.
 */
export const preparedNames = new Map<string, string>();

/**
 * A named statement that asks PostgreSQL for its columns only the first time on each connection. A
 * prepared statement always returns the same columns: after a migration that changes them,
 * PostgreSQL rejects the statement.
 */
export class PreparedQuery extends PgQuery {
  private columns: Map<string, Columns> | undefined;

  constructor(name: string, text: string, values: unknown[]) {
    super(text, values);
    this.name = name;
  }

  override prepare(connection: Connection): void {
    let described = connections.get(connection);
    if (!described) {
      described = { quiet: Object.create(connection, { describe: { value: () => {} } }), columns: new Map() };
      connections.set(connection, described);
    }
    const columns = this.hasBeenParsed(connection) ? described.columns.get(this.name) : undefined;
    this.columns = described.columns;
    if (columns) {
      Object.assign(this._result, columns);
      this._accumulateRows = true;
    }
    super.prepare(columns ? described.quiet : connection);
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.columns?.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}
