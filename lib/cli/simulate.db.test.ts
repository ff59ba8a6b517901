import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { newDataDir, removeDataDir } from "@/lib/testing/data-dir";
import { anAppWith } from "@/lib/testing/factories";
import { simulateCommand } from "./simulate";

const folder = newDataDir();
afterAll(() => removeDataDir(folder));

test("can be stopped from the moment it says that it answers", async () => {
  const { owner, clientId } = await anAppWith("approvals:write");
  const rules = join(folder, "rules.json");
  writeFileSync(rules, JSON.stringify({ rules: [{ answer: { option: 1 } }] }));
  const given: Record<string, string[]> = { owner: [owner.email], app: [clientId], rules: [rules] };

  const heard: number[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((said) => {
    if (String(said).startsWith("Answering for")) heard.push(process.listenerCount("SIGINT"));
    process.emit("SIGINT");
    return true;
  });
  const before = process.listenerCount("SIGINT");
  const { json } = await simulateCommand.run(
    { one: (name) => given[name]?.[0], all: (name) => given[name] ?? [], has: (name) => name in given },
    [],
  );
  write.mockRestore();
  expect(heard).toEqual([before + 1]);
  expect(json).toEqual({ answered: 0 });
});
