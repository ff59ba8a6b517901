import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { runSystem, testWith } from "@/lib/testing/programs";
import { runCommand } from "../commands";

const folder = mkdtempSync(join(tmpdir(), "countersign-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function scriptFor(shell: string) {
  const file = join(folder, shell);
  writeFileSync(file, (await runCommand(["completion", shell])).out);
  return file;
}

const typed = [
  "token create --scope approvals:w\t",
  "own\tcr\t--em\t",
  "token create --for=m\t",
  "keys ro\t",
  "ask --ri\tlo\t",
];
const run = [
  "token create --scope approvals:write",
  "owner create --email",
  "token create --for=mcp",
  "keys rotate",
  "ask --risk low",
];

// Presses Tab at a terminal, and runs the completed command.
for (const [shell, flags, before] of [
  ["bash", "--norc -i", ""],
  ["zsh", "-f -i", "autoload -U compinit; compinit -u"],
] as const)
  testWith([shell, "script"], `completes at a terminal in ${shell}`, async () => {
    const lines = [
      before,
      `source ${await scriptFor(shell)}`,
      'countersign() { printf "<%s>\\n" "$*"; }',
      ...typed.map((words) => `countersign ${words}`),
      "exit",
      "",
    ];
    const { out } = await runSystem("script", ["-qec", `${shell} ${flags}`, "/dev/null"], {
      input: lines.join("\n"),
      env: { TERM: "dumb", HOME: folder, HISTFILE: "/dev/null" },
    });
    // Zsh adds an option's value after an equals sign.
    const ran = [...out.matchAll(/<([a-z][^>%]*)>\r/g)].map(([, words]) => words?.replace("--risk=", "--risk "));
    expect(ran).toEqual(run);
  });

testWith(["fish"], "completes in fish", async () => {
  const lines = typed.map((words) => `countersign ${words.split("\t")[0]}`);
  const asked = lines.map((line) => `complete -C '${line}'; echo ----`);
  const { out, err } = await runSystem("fish", ["-N", "-c", `source ${await scriptFor("fish")}; ${asked.join("; ")}`], {
    env: { HOME: folder },
  });
  expect(err).toBe("");
  const words = out.split("----\n").map((some) =>
    some
      .split("\n")
      .map((line) => line.split("\t")[0])
      .filter(Boolean),
  );
  expect(words.slice(0, -1)).toEqual([["approvals:write"], ["owner"], ["--for=mcp"], ["rotate"], ["--risk"]]);
});
