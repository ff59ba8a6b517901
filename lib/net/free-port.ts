import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Ports that no system gives to outgoing connections by default. Those start at 32,768 on Linux and
 * at 49,152 on macOS and Windows. Such a port could be taken before the caller listens on it.
 */
const [lowest, highest] = [11_000, 32_767];

/**
 * Finds a port that is currently free, from 11,000 to 32,767.
 * @param draw returns a random integer from its first argument to below its second one
 * @throws {Error} if this machine can't listen on the host
 */
export async function freePort(host = "127.0.0.1", draw: (from: number, below: number) => number = randomInt) {
  for (;;) {
    const port = draw(lowest, highest + 1);
    const probe = createServer();
    try {
      await once(probe.listen(port, host), "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    } finally {
      await new Promise((resolve) => probe.close(resolve));
    }
  }
}
