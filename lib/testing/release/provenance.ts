import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/*
 * States which sources and which builder made the artifacts: an in-toto statement with SLSA
 * provenance. The statement is unsigned. The signed checksums cover it, and the hosted workflow
 * also attests it with the workflow's identity.
 */

export type BuildOrigin = {
  version: string;
  date: string;
  commit: string;
  /** The repository's URL, if known. */
  repository: string | undefined;
  goModule: string;
  /** The URI of the program that ran the build. */
  builder: string;
  /** Other inputs by URI, each with its digest. */
  inputs: readonly { uri: string; digest: Record<string, string> }[];
};

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Returns the paths of all files below a folder, in order. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort();

/** Returns the builder's URI. Only a hosted workflow has an identity that others can verify. */
export function builderOf({ GITHUB_SERVER_URL, GITHUB_WORKFLOW_REF }: NodeJS.ProcessEnv): string {
  if (GITHUB_SERVER_URL && GITHUB_WORKFLOW_REF) return `${GITHUB_SERVER_URL}/${GITHUB_WORKFLOW_REF}`;
  return "urn:countersign:release:local";
}

/** Returns the provenance of the files in a folder. */
export function provenanceOf(folder: string, files: readonly string[], origin: BuildOrigin) {
  const { version, date, commit, repository, goModule, builder, inputs } = origin;
  const source = repository ? `git+${repository}@refs/tags/v${version}` : `git+urn:countersign@refs/tags/v${version}`;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: files.map((name) => ({ name, digest: { sha256: sha256Of(readFileSync(join(folder, name))) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:countersign:release:v1",
        externalParameters: { version, date, goModule },
        resolvedDependencies: [{ uri: source, digest: { gitCommit: commit } }, ...inputs],
      },
      runDetails: { builder: { id: builder }, metadata: { invocationId: `${commit}/v${version}` } },
    },
  };
}

/** Returns the text that `sha256sum --check` reads, for all files in a folder. */
export const checksums = (folder: string): string =>
  filesBelow(folder)
    .filter((path) => !/^SHA256SUMS/.test(path))
    .map((path) => `${sha256Of(readFileSync(join(folder, path)))}  ${path}\n`)
    .join("");
