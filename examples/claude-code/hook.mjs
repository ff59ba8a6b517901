import { Countersign } from "countersign";
import { command, Gate } from "countersign/claude";

const { COUNTERSIGN_URL: baseUrl, COUNTERSIGN_TOKEN: token, SIMULATED } = process.env;
const gate = new Gate(new Countersign({ baseUrl, token }), {
  question: ({ name, input }) => (name === "Bash" ? `Run ${input.command}?` : `Use ${name}?`).slice(0, 2000),
  receipt: { allowSimulated: SIMULATED === "1" }, // only in tests
});
await command(gate);
