import { runCommand } from "./commands";

const { out, err, status } = await runCommand(process.argv.slice(2), process.env.COUNTERSIGN_PROGRAM);
process.stderr.write(err);
// Ends only when all of it was taken, also by a slow pipe.
process.stdout.write(out, () => process.exit(status));
