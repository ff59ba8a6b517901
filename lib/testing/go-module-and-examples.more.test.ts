import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shellBlocks } from "./markdown-shell-blocks";
import { goModuleOf } from "./release/one-version";
import { simulatedService } from "./service-with-simulated-owner";
import { runSystem, testWith } from "./test-with-programs";

/*
 * Tests the Go module, and the examples in languages for which we have no package, against the
 * built service with a simulated owner.
 */

const timeoutMs = 600_000;
let folder: string;
let env: Record<string, string>;
let end: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const { end: stop, ...service } = await simulatedService("gopher", [
    { question: "delete (it|another)|build 13", answer: { option: 2, note: "Never on Mondays" } },
    { question: "leave", answer: "none" },
    { answer: { option: 1 } },
  ]);
  end = stop;
  folder = service.folder;
  // Go uses the machine's build cache. Without it, compiling the standard library takes minutes.
  env = { ...service.environment, GOFLAGS: "-buildvcs=false", GOTOOLCHAIN: "local" };
  cpSync("clients/go", join(folder, "clients/go"), { recursive: true });
  cpSync("examples", join(folder, "examples"), { recursive: true });
}, timeoutMs);
afterAll(() => end?.(), timeoutMs);

/**
 * Matches Go's errors for a module that it can't download, or that requires a newer version of Go.
 */
const unreachable = /dial tcp|no such host|proxyconnect|i\/o timeout|requires go >=/;

const inFolder = (path: string, program: string, ...args: string[]) =>
  runSystem(program, args, { cwd: join(folder, path), env });

testWith(
  ["go", "gofmt"],
  "passes the Go module's tests, gofmt and vet",
  async () => {
    const tested = await inFolder("clients/go", "go", "test", "-v", "./...");
    expect(tested.status, tested.out + tested.err).toBe(0);
    expect(tested.out.match(/^--- PASS: TestService/gm)).toHaveLength(5);
    expect(tested.out).not.toMatch(/^--- SKIP/m);
    expect(await inFolder("clients/go", "go", "vet", "./...")).toEqual({ status: 0, out: "", err: "" });
    expect(await inFolder("clients/go", "gofmt", "-l", ".", "../../examples/go")).toEqual({
      status: 0,
      out: "",
      err: "",
    });
  },
  timeoutMs,
);

testWith(
  ["go"],
  "passes staticcheck with the Go module",
  async (skip) => {
    const checker = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";
    const { status, out, err } = await inFolder("clients/go", "go", "run", checker, "-checks", "all", "./...");
    if (unreachable.test(err)) skip(`Go cannot bring staticcheck: ${err}`);
    expect({ status, out }, err).toEqual({ status: 0, out: "" });
  },
  timeoutMs,
);

testWith(
  ["go"],
  "compiles the Go module with its oldest supported Go",
  async (skip) => {
    const [, oldest] = /^go ([\d.]+)$/m.exec(readFileSync("clients/go/go.mod", "utf8")) ?? [];
    const { status, err } = await runSystem("go", ["vet", "./..."], {
      cwd: join(folder, "clients/go"),
      env: { ...env, GOTOOLCHAIN: `go${oldest}.0` },
    });
    if (unreachable.test(err)) skip(`Go cannot bring its version ${oldest}: ${err}`);
    expect(status, err).toBe(0);
  },
  timeoutMs,
);

/** Returns a Go program with lines from the README. */
const asInReadme = (lines: string) => `package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"${goModuleOf(".")}"
)

func main() {
	ctx := context.Background()
	ship := func() { fmt.Println("Shipped") }
${lines.replace("https://yes.example.com", env.COUNTERSIGN_URL ?? "")}
}
`;

testWith(
  ["go"],
  "runs the README's example in a new Go module",
  async () => {
    const readme = readFileSync("clients/go/README.md", "utf8");
    const [, lines = ""] = /^```go\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    mkdirSync(join(folder, "new"));
    writeFileSync(join(folder, "new/main.go"), asInReadme(lines));
    const [install] = shellBlocks("clients/go/README.md");
    const commands = (install?.commands ?? "").replaceAll("https://yes.example.com", env.COUNTERSIGN_URL ?? "");
    const script = `set -e; go mod init example.com/new; ${commands}\ngo run .`;
    const { status, out, err } = await inFolder("new", "sh", "-c", script);
    expect([status, out], err).toEqual([0, "Shipped\n"]);
  },
  timeoutMs,
);

const examples = {
  go: { file: "main.go", needs: ["go"], run: ["go", "run", "."] },
  java: { file: "Ask.java", needs: ["java"], run: ["java", "Ask.java"] },
  curl: { file: "ask.sh", needs: ["sh", "curl", "jq"], run: ["sh", "ask.sh"] },
};

test("limits each example to 40 lines", () => {
  for (const [name, { file }] of Object.entries(examples)) {
    expect(readdirSync(join("examples", name))).toContain(file);
    expect(readFileSync(join("examples", name, file), "utf8").split("\n").length, name).toBeLessThanOrEqual(41);
  }
});

for (const [name, { needs, run }] of Object.entries(examples)) {
  testWith(
    needs,
    `ships only approved builds in the example ${name}`,
    async () => {
      const [program = "", ...args] = run;
      const start = (words: string[], token = env.COUNTERSIGN_TOKEN ?? "") =>
        runSystem(program, [...args, ...words], {
          cwd: join(folder, "examples", name),
          env: { ...env, COUNTERSIGN_TOKEN: token },
        });
      const ask = (build: string, token?: string) => start([build], token);
      // Each example asks about different build numbers, because a repeated idempotency key would
      // return an earlier question.
      const at = Object.keys(examples).indexOf(name);
      const yes = await ask(`42${at}`);
      expect([yes.status, yes.out], yes.err).toEqual([0, `Shipping 42${at}\n`]);
      const no = await ask(`13${at}`);
      expect([no.status, no.out], no.err).toEqual([1, expect.stringMatching(/^Not shipping\./)]);
      const refused = await ask("7", "nobody");
      expect([refused.status, refused.out]).toEqual([1, ""]);
      expect(refused.err).toMatch(/Unauthorized.*The token is not a complete access token or personal token/);
      // `go run` exits with 1 for every failure, so the program's own exit status is lost.
      const usage = [name === "go" ? 1 : 2, "", expect.stringMatching(/^Usage: (.*) BUILD.* COUNTERSIGN_TOKEN/)];
      for (const wrong of [await start([]), ...(name === "go" ? [] : [await start(["7"], "")])])
        expect([wrong.status, wrong.out, wrong.err]).toEqual(usage);
    },
    timeoutMs,
  );
}
