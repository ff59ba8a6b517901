import { plural } from "@/lib/text/plural";
import { type Command, table } from "../command";
import { examine } from "./run-checks";

const marks = { ok: "ok", note: "note", fail: "FAIL" };

/** Checks everything that an operator would check, and reports the next steps. */
export const doctorCommand: Command = {
  // Skips the usual preparation, because this command reports the problems that would stop it.
  behind: "nothing",
  async run() {
    const sections = await examine();
    const all = sections.flatMap(({ about, findings }) => findings.map((it) => ({ about, ...it })));
    const problems = all.filter(({ standing }) => standing === "fail").length;
    const rows = all.map(({ about, standing, says }) => [marks[standing], about, says]);
    return {
      json: { problems, findings: all },
      text: `${table(rows)}\n\n${plural(problems, { one: "# problem", other: "# problems" })} found.`,
      status: problems > 0 ? 1 : 0,
    };
  },
};
