import type pg from "pg";
import type { Home } from "../homes";
import { instanceTag } from "../placement/instance-tag";

/** A shard as a mover sees it: its own connection, and what the webhook domain does on it. */
export type MoverShard = {
  readonly name: string;
  readonly number: number;
  readonly url: string;
  readonly client: pg.ClientBase;
  /** Creates the webhook deliveries for all events up to now. */
  finishFanOut(): Promise<void>;
};

/** A move of homes that are on one shard. */
export type Move = {
  readonly directory: pg.ClientBase;
  readonly from: MoverShard;
  readonly to: MoverShard;
  readonly homes: readonly Home[];
  /** A second connection to the new shard, which keeps a snapshot for the comparison. */
  readonly snapshot: pg.ClientBase;
  tell(line: string): void;
  /** For tests: called before each step, to stop the move there. */
  before?(step: MoveStep): void | Promise<void>;
};

/** The steps of a move, in order. */
export type MoveStep =
  | "mark"
  | "hide"
  | "order"
  | "copy"
  | "pause"
  | "drain"
  | "decide"
  | "show"
  | "finish"
  | "compare"
  | "delete";

/** The result of a move. */
export type MoveResult = { homes: readonly Home[]; standstillMs: number | undefined; deletedRows: number };

/** A problem with a move, for the operator. */
export class MoveError extends Error {}

/** What identifies an unfinished move. */
export type MoveNote = {
  readonly from: string;
  readonly to: string;
  readonly homes: readonly Home[];
  /** The tag of the process that moved the homes last. */
  readonly mover?: string;
};

/** Returns what identifies a move of this process. */
export const noteOf = ({ from, to, homes }: Move): MoveNote => ({
  from: from.name,
  to: to.name,
  homes,
  mover: instanceTag(),
});
