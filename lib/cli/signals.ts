/**
 * Call `leave` at the first SIGINT or SIGTERM, and end at once at a second one. npm passes on the Ctrl-C that the terminal
 * already sent to us, so what comes within half a second is the same one.
 * @param leave ends the process itself
 * @param seconds when the process ends in any case
 */
export function onLeaving(leave: () => Promise<void>, seconds: number): void {
  let since: number | undefined;
  const heard = () => {
    if (since !== undefined) {
      if (performance.now() - since > 500) process.exit(1);
      return;
    }
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
  process.on("SIGINT", heard).on("SIGTERM", heard);
  // npm that was killed outright passes nothing on, and whoever killed it means us.
  if (process.env.npm_lifecycle_event) {
    const npm = process.ppid;
    const look = setInterval(() => {
      if (process.ppid === npm) return;
      clearInterval(look);
      heard();
    }, 1000).unref();
  }
}
