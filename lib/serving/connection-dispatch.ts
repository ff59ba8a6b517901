import type { Socket } from "node:net";

/*
 * Assigns connections to processes. A connection is kept until its process confirms it, so that a
 * crash loses none.
 */

/** How many unconfirmed connections a process may have. A stuck process gets no more. */
const maxUnconfirmed = 2;
/**
 * How long a connection waits for a ready but stuck process, in milliseconds. Then it is refused.
 */
const timeoutMs = 10_000;

type Connection = Pick<Socket, "destroyed" | "destroy">;
type WaitingConnection<Conn> = { socket: Conn; timer: NodeJS.Timeout };
type Ways<Process, Conn> = {
  /** Hands a connection to a process. `failed`: call it if the process cannot be reached. */
  hand(process: Process, number: number, socket: Conn, failed: () => void): void;
  /** No process can take it. */
  refuse(socket: Conn): void;
};

export class ConnectionDispatch<Process, Conn extends Connection> {
  /** Ready processes with their unconfirmed connections; the most recently used one is last. */
  private readonly ready = new Map<Process, Map<number, Conn>>();
  private readonly waiting = new Set<WaitingConnection<Conn>>();
  private count = 0;

  constructor(private readonly ways: Ways<Process, Conn>) {}

  /** A process accepts connections from now on. */
  add(process: Process): void {
    this.ready.set(process, new Map());
    this.dispatchWaiting();
  }

  /** A process accepts no more connections. Its unconfirmed ones go to others. */
  remove(process: Process): void {
    const unconfirmed = this.ready.get(process);
    this.ready.delete(process);
    for (const socket of unconfirmed?.values() ?? []) this.dispatch(socket);
    this.dispatchWaiting();
  }

  /** A process has confirmed a connection, so this process closes its copy. */
  confirm(process: Process, number: number): void {
    const unconfirmed = this.ready.get(process);
    unconfirmed?.get(number)?.destroy();
    unconfirmed?.delete(number);
    this.dispatchWaiting();
  }

  dispatch(socket: Conn): void {
    if (socket.destroyed) return;
    if (this.ready.size === 0) this.ways.refuse(socket);
    else if (!this.handOver(socket)) this.wait(socket);
  }

  /** @returns false if every process has enough unconfirmed connections */
  private handOver(socket: Conn): boolean {
    for (const [process, unconfirmed] of this.ready) {
      if (unconfirmed.size >= maxUnconfirmed) continue;
      const number = ++this.count;
      unconfirmed.set(number, socket);
      this.ready.delete(process);
      this.ready.set(process, unconfirmed);
      this.ways.hand(process, number, socket, () => this.remove(process));
      return true;
    }
    return false;
  }

  private wait(socket: Conn): void {
    const timer = setTimeout(() => this.waiting.delete(it) && this.ways.refuse(socket), timeoutMs).unref();
    const it = { socket, timer };
    this.waiting.add(it);
  }

  /** Waiting connections get the next process, oldest first. */
  private dispatchWaiting(): void {
    for (const it of this.waiting) {
      const isBusy = [...this.ready.values()].every(({ size }) => size >= maxUnconfirmed);
      if (this.ready.size > 0 && isBusy) return;
      this.waiting.delete(it);
      clearTimeout(it.timer);
      this.dispatch(it.socket);
    }
  }
}
