import { plural } from "@/lib/text/plural";
import packageJson from "@/package.json" with { type: "json" };
import { type Command, table } from "../command";
import { examine } from "./examine";
import { numberText } from "./report";

const marks = { ok: "ok", note: "note", fail: "FAIL" };

/** Check everything that an operator would, and report the next steps. */
export const doctorCommand: Command = {
  // Doctor reports problems that would stop other commands.
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

/** The same checks, as numbers. */
export const statusCommand: Command = {
  behind: "nothing",
  async run() {
    const sections = await examine();
    const numbers = Object.fromEntries(
      sections.flatMap(({ about, numbers }) => (numbers ? [[about.toLowerCase(), numbers] as const] : [])),
    );
    const rows = sections.flatMap(({ about, numbers = {} }) =>
      Object.entries(numbers).map((it, index) => [index === 0 ? about : "", ...numberText(...it)]),
    );
    const unseen = sections.filter(({ unseen }) => unseen).flatMap(({ findings }) => findings.map(({ says }) => says));
    const { version } = packageJson;
    return {
      json: { version, ...numbers },
      text: table([["Version", version, ""], ...rows]),
      aside: unseen.join("\n"),
      status: unseen.length > 0 ? 1 : 0,
    };
  },
};
