import { ours, pythonWith } from "./python-environment";
import { adapterFiles, expectToPass, testRequirements, timeoutMs } from "./python-package-checks";
import { testWith } from "./test-with-programs";

testWith(
  ["python3"],
  "passes the tests and type checks of the Python package's adapters",
  async (skip) => {
    const extras = ["claude", "langgraph", "openai-agents", "pydantic-ai"];
    const programs = await pythonWith("adapters", [ours(...extras), ...testRequirements], skip);
    await expectToPass(
      programs,
      adapterFiles.filter((file) => !file.includes("crewai")),
    );
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "passes the tests and type checks of the Python adapter for CrewAI",
  async (skip) => {
    // This framework needs older packages than the others.
    const programs = await pythonWith("crewai", [ours("crewai"), ...testRequirements], skip);
    await expectToPass(
      programs,
      adapterFiles.filter((file) => file.includes("crewai")),
    );
  },
  timeoutMs,
);
