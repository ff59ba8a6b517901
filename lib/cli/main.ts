import { runCommand } from "./run-command-line";

const { out, err, status } = await runCommand(process.argv.slice(2), process.env.COUNTERSIGN_PROGRAM);
process.stderr.write(err);
// Exits only after all output was written, even to a slow pipe.
process.stdout.write(out, () => process.exit(status));
