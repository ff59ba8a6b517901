import { Countersign } from "countersign";
import { command, Gate } from "countersign/claude";

// The client reads COUNTERSIGN_URL and COUNTERSIGN_TOKEN. Without these variables, no tool runs.
const gate = () =>
  new Gate(new Countersign(), {
    question: ({ name, input }) => (name === "Bash" ? `Run ${input.command}?` : `Use ${name}?`).slice(0, 2000),
  });
await command(gate);
