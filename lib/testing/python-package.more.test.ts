import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { newestWheel, ours, pythonWith } from "./python-environment";
import { expectToPass, folder, ownFiles, run, testRequirements, timeoutMs } from "./python-package-checks";
import { testWith } from "./test-with-programs";

/*
 * Runs the Python package's tests against the built service with a simulated owner, and checks the
 * package's types and its wheel. Dependencies come from PyPI.
 */

/**
 * A program that prints a wheel's files and metadata, for comparison. It omits the requirements,
 * because hatchling writes them differently.
 */
const described = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    assert wheel.testzip() is None
    for name in sorted(wheel.namelist()):
        text = wheel.read(name)
        if name.endswith("/METADATA"):
            head, _, body = text.decode().partition("\\n\\n")
            lines = [it for it in sorted(head.splitlines()) if not it.startswith(("Metadata-Version", "Requires-Dist"))]
            print(*lines, body, sep="\\n")
        elif not name.endswith(("/RECORD", "/WHEEL")):
            print(name, len(text))
`;

testWith(
  ["python3"],
  "passes the tests and type checks of the Python package",
  async (skip) => {
    const programs = await pythonWith("tests", [ours("receipts"), ...testRequirements, "webauthn>=3"], skip);
    await expectToPass(programs, ownFiles);
  },
  timeoutMs,
);

testWith(
  ["python3"],
  "builds an uploadable Python package",
  async (skip) => {
    const programs = await pythonWith("build", ["build", "twine"], skip);
    await run(join(programs, "python"), "-m", "build", "--outdir", join(folder, "dist"));
    const built = readdirSync(join(folder, "dist")).map((file) => join(folder, "dist", file));
    expect(built).toHaveLength(2);
    expect((await run(join(programs, "twine"), "check", "--strict", ...built)).match(/PASSED/g)).toHaveLength(2);
    const wheel = built.find((file) => file.endsWith(".whl")) as string;
    expect(await run(join(programs, "python"), "-m", "zipfile", "--list", wheel)).toMatch(/countersign\/py\.typed/);
    // The hosted wheel has the same files and metadata.
    const served = resolve("public/client", newestWheel());
    await run(join(programs, "twine"), "check", "--strict", served);
    const [ours, theirs] = await Promise.all(
      [served, wheel].map((it) => run(join(programs, "python"), "-c", described, it)),
    );
    expect(ours).toBe(theirs);
  },
  timeoutMs,
);
