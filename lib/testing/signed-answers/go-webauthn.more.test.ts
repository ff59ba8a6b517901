import { expect } from "vitest";
import { runSystem, testWith } from "../test-with-programs";
import { readVectors } from "./vectors";

/** Matches Go's errors for a module that it can't download, or that requires a newer version of Go. */
const unavailable = /dial tcp|no such host|proxyconnect|i\/o timeout|requires go >=/;

testWith(
  ["go"],
  "agrees with go-webauthn about the assertions of signed answers",
  async (skip) => {
    const { status, out, err } = await runSystem(
      "go",
      ["run", ".", "../../../../clients/go/testdata/signed-answers.json"],
      {
        cwd: "lib/testing/signed-answers/go-webauthn",
        env: { GOTOOLCHAIN: "local", GOFLAGS: "-buildvcs=false" },
      },
    );
    if (unavailable.test(err)) skip(`Go cannot bring go-webauthn: ${err}`);
    expect(status, err).toBe(0);
    const said = JSON.parse(out) as Record<string, boolean>;
    const compared = readVectors().vectors.filter((it) => it.assertion !== undefined && it.resolution.signature);
    expect(compared.map(({ name }) => [name, said[name]])).toEqual(compared.map((it) => [it.name, it.assertion]));
    expect(compared.length).toBeGreaterThan(100);
  },
  600_000,
);
