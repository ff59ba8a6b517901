import { cpSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { agentService } from "@/lib/testing/clients/agent-service";
import { clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { testWith } from "@/lib/testing/test-with-programs";

const { folder, url, run, anAgent } = await agentService();

/** Writes a program and its build files to a separate folder. */
function copied(language: string): string {
  const made = join(folder, language);
  cpSync(resolve("lib/testing/clients/agents", language), made, { recursive: true });
  return made;
}

testWith(
  ["go"],
  "connects Go's go-sdk with string options",
  async () => {
    const made = copied("go");
    await run("go", ["mod", "tidy"], {}, made);
    await run("go", ["build", "-o", "agent"], {}, made);
    const { expectToWork, personalToken } = await anAgent();
    await expectToWork("2026-07-28", join(made, "agent"), [url, await personalToken()]);
  },
  clientTestTimeoutMs,
);

testWith(
  ["java", "javac", "mvn"],
  "connects LangChain4j over plain HTTP",
  async () => {
    const made = copied("java");
    const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
    await run("mvn", ["-q", "-B", plugin, "-DincludeScope=runtime", "-DoutputDirectory=libraries"], {}, made);
    const path = ["classes", "libraries/*"].join(delimiter);
    await run("javac", ["-d", "classes", "-cp", path, "Main.java"], {}, made);
    const { expectToWork, personalToken } = await anAgent();
    await expectToWork("2025-11-25", "java", ["-cp", path, "Main", url, await personalToken()], {}, made);
  },
  clientTestTimeoutMs,
);

testWith(
  ["cargo"],
  "connects Rust's rmcp",
  async () => {
    const made = copied("rust");
    await run("cargo", ["build", "--quiet"], {}, made);
    const { expectToWork, personalToken } = await anAgent();
    await expectToWork("2025-11-25", join(made, "target/debug/agent"), [url, await personalToken()]);
  },
  clientTestTimeoutMs,
);
