import cluster from "node:cluster";

/**
 * Call `leave` at the first SIGINT or SIGTERM, and end at once at a second one. npm passes on the Ctrl-C that the terminal
 * already sent to us, so what comes within half a second is the same one.
 * @param leave ends the process itself
 * @param seconds when the process ends in any case
 * @returns how to leave without a signal
 */
export function onShutdownSignal(leave: () => Promise<void>, seconds: number): () => void {
  let since: number | undefined;
  const begin = () => {
    if (since !== undefined) return;
    since = performance.now();
    setTimeout(() => process.exit(0), seconds * 1000).unref();
    leave().then(
      () => process.exit(0),
      (error) => {
        process.stderr.write(`Not everything ended cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  const heard = () => {
    if (since !== undefined && performance.now() - since > 500) process.exit(1);
    begin();
  };
  process.on("SIGINT", heard).on("SIGTERM", heard);
  // npm that was killed outright passes nothing on, and whoever killed it means us.
  if (process.env.npm_lifecycle_event && cluster.isPrimary) {
    const npm = process.ppid;
    const look = setInterval(() => {
      if (process.ppid === npm) return;
      clearInterval(look);
      heard();
    }, 1000).unref();
  }
  return begin;
}
