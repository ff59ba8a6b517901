import { portTaken } from "./config";
import { serveDemo } from "./serve";

// The child process of a service: it ends with that, however that ends.
process.on("disconnect", () => process.exit());
serveDemo(process.argv[2] ?? "").catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`Demo identity: ${error.stack ?? error.message}\n`);
  process.exit(error.code === "EADDRINUSE" ? portTaken : 1);
});
