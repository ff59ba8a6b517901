import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { configure } from "@/lib/testing/change-settings";
import { clientService, clientTestTimeoutMs } from "@/lib/testing/clients/generated-client-service";
import { hooks, inherent, readFindings } from "@/lib/testing/clients/schemathesis-findings";
import { anAppWith } from "@/lib/testing/factories";
import { runSystem, testWith } from "@/lib/testing/test-with-programs";

configure({ RATE_LIMIT: "0", MAX_PENDING: "0" });
const everything = [
  "approvals:write",
  "approvals:read",
  "approvals:resolve",
  "notifications:write",
  "notifications:read",
] as const;
const { folder, today, pythonWith } = await clientService();

testWith(
  ["python3"],
  "passes all Schemathesis checks except for rules that no schema can express",
  async () => {
    const programs = await pythonWith("made-by-schemathesis", ["schemathesis==4.32.5"]);
    const { token } = await anAppWith(...everything);
    writeFileSync(join(folder, "hooks.py"), hooks);
    const examples = process.env.SCHEMATHESIS_EXAMPLES ?? "300";
    const { out, err } = await runSystem(
      join(programs, "schemathesis"),
      [
        ...["run", "openapi.json", "--url", today, "--header", `Authorization: Bearer ${token}`, "--checks", "all"],
        ...["--max-examples", examples, "--seed", "1", "--workers", "1", "--continue-on-failure", "--no-color"],
        ...["--report", "json", "--report-json-path", "report.json"],
        // This operation would make the service reject all later requests.
        ...["--exclude-path", "/api/freeze"],
      ],
      { cwd: folder, env: { SCHEMATHESIS_HOOKS: "hooks" } },
    );
    const { complete, operations, generated, errors, findings } = readFindings(folder, out);
    if (process.env.SCHEMATHESIS_OUT) writeFileSync(process.env.SCHEMATHESIS_OUT, out + err);
    expect({ complete, operations, errors }, err).toEqual({ complete: true, operations: 14, errors: [] });
    expect(generated).toBeGreaterThan(Number(examples));
    const ours = findings.filter((found) => !inherent.some(({ is }) => is.test(found)));
    expect(ours).toEqual([]);
  },
  2 * clientTestTimeoutMs,
);
