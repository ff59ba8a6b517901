import { ours, pythonWith } from "./python-environment";
import { expectToPass, testRequirements, timeoutMs } from "./python-package-checks";
import { testWith } from "./test-with-programs";

testWith(
  ["python3"],
  "passes the tests and type checks of the Python adapter for CrewAI",
  async (skip) => {
    // This framework needs older packages than the others.
    const programs = await pythonWith("crewai", [ours("crewai"), ...testRequirements], skip);
    await expectToPass(programs, ["src/countersign/crewai.py", "tests/test_crewai.py"]);
  },
  timeoutMs,
);
