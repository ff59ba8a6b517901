import { portTaken } from "./config";
import { serveDemo } from "./serve";

// A child process of a service. It ends with the service, however that ends.
process.on("disconnect", () => process.exit());
serveDemo(process.argv[2] ?? "").catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`Demo identity: ${error.stack ?? error.message}\n`);
  process.exit(error.code === "EADDRINUSE" ? portTaken : 1);
});
