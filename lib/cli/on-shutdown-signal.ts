import { clock } from "@/lib/clock";

/**
 * Calls `leave` at the first SIGINT or SIGTERM, and exits immediately at a second one. On Ctrl-C,
 * this process gets a signal from the terminal and another from npm, so signals within half a
 * second count as one.
 * @param seconds the time after which the process exits even if `leave` is not done
 * @param leave shuts the service down; the process then exits
 */
export function onShutdownSignal(leave: () => Promise<void>, seconds: number): void {
  let since: number | undefined;
  const heard = () => {
    if (since !== undefined) {
      if (clock.elapsed() - since > 500) process.exit(1);
      return;
    }
    since = clock.elapsed();
    clock.setTimeout(() => process.exit(0), seconds * 1000).unref();
    leave().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Could not shut down cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", heard).on("SIGTERM", heard);
  // If npm is killed, it forwards no signal, but the service must stop too. A new parent process
  // shows that npm was killed.
  if (process.env.npm_lifecycle_event) {
    const npm = process.ppid;
    const look = clock
      .setInterval(() => {
        if (process.ppid === npm) return;
        clearInterval(look);
        heard();
      }, 1000)
      .unref();
  }
}
