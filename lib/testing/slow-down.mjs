import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/**
 * Slows the machine down: two busy threads for each processor, which is a load of four on two
 * processors. The threads end with the process.
 * @returns a function that ends the threads
 */
export function slowDown() {
  const count = 2 * availableParallelism();
  const busy = Array.from({ length: count }, () => new Worker("for (;;);", { eval: true }));
  return async () => void (await Promise.all(busy.map((thread) => thread.terminate())));
}
