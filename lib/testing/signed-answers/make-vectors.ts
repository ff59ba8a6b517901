import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { acceptedVectors } from "./accepted-vectors";
import { hashedContents } from "./hashed-contents";
import { refusedAssertions } from "./refused-assertions";
import { refusedStatements } from "./refused-statements";
import { content, coseKeys, usualChecks } from "./signing-devices";
import { type VectorFile, vectorFiles } from "./vectors";

// Writes the vectors: node lib/cli/run-typescript.mjs lib/testing/signed-answers/make-vectors.ts
const vectors = [...acceptedVectors(), ...refusedStatements(), ...refusedAssertions()];
const file: VectorFile = { checks: usualChecks, content, contents: hashedContents, cose: coseKeys, vectors };
const { vectors: _, ...head } = file;
const lines = vectors.map((vector) => `  ${JSON.stringify(vector)}`).join(",\n");
const text = `${JSON.stringify(head).slice(0, -1)},"vectors":[\n${lines}\n]}\n`;
for (const path of vectorFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
