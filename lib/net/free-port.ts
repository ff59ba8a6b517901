import { type AddressInfo, createServer } from "node:net";

/** Finds a port that is currently free. */
export const freePort = (host = "127.0.0.1") =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
