import { resolve } from "node:path";
import { agentService } from "@/lib/testing/clients/agent-service";
import { clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { pythonWith } from "@/lib/testing/clients/pypi-environment";
import { testWith } from "@/lib/testing/test-with-programs";

const { folder, url, run, anAgent } = await agentService();
const program = (name: string) => resolve(`lib/testing/clients/agents/${name}_client.py`);
const python = (name: string, ...packages: string[]) => pythonWith(run, folder, name, packages);

testWith(
  ["python3"],
  "connects the Python MCP SDK with only the service URL",
  async () => {
    const { expectToWork } = await anAgent();
    const bin = await python("mcp", "mcp==2.3.0");
    await expectToWork("2026-07-28", `${bin}/python`, [program("mcp"), url]);
  },
  clientTestTimeoutMs,
);

testWith(
  ["python3"],
  "connects fastmcp with only the service URL",
  async () => {
    const { expectToWork } = await anAgent();
    const bin = await python("fastmcp", "fastmcp==4.1.2");
    await expectToWork("2026-07-28", `${bin}/python`, [program("fastmcp"), url]);
  },
  clientTestTimeoutMs,
);

for (const { name, framework, revision } of [
  { name: "langchain", framework: "langchain-mcp-adapters==0.3.2", revision: "2025-11-25" },
  { name: "openai", framework: "openai-agents==0.24.0", revision: "2026-07-28" },
])
  testWith(
    ["python3"],
    `connects ${framework} by OAuth or a personal token`,
    async () => {
      const bin = await python(name, framework);
      const { expectToWork, personalToken } = await anAgent();
      const token = await personalToken();
      for (const access of [[], [token]])
        await expectToWork(revision, `${bin}/python`, [program(name), url, ...access]);
    },
    clientTestTimeoutMs,
  );
