import { execFileSync, spawnSync } from "node:child_process";
import { findProgram } from "../find-program";
import { baseImages } from "./base-image";
import { packageNames } from "./build-artifacts";

/*
 * Publishing needs accounts and keys that belong to the operator. This module names what is missing,
 * and lists the commands that publish. A published version can never change, so a release starts
 * only if nothing is missing.
 */

export type ReleaseState = {
  version: string;
  goModule: string;
  /** The files that `--prepare` would change. */
  changed: readonly string[];
  dirty: boolean;
  /** The signed tags at this commit. */
  tags: readonly string[];
  dockerfile: string;
  environment: NodeJS.ProcessEnv;
  has: (program: string) => boolean;
};

/** The tags of a release. Go finds a module in a subfolder only by a tag with the folder's name. */
export const tagsOf = (version: string) => [`v${version}`, `clients/go/v${version}`] as const;

/** Returns what a release needs and does not have, each with its remedy. */
export function missingFor(state: ReleaseState): string[] {
  const { version, goModule, changed, dirty, tags, dockerfile, environment: env, has } = state;
  const trusted = Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL);
  const unsigned = tagsOf(version).filter((tag) => !tags.includes(tag));
  const needs: [boolean, string][] = [
    [/^unpublished\.example\//.test(goModule), "a Go module path on a domain that you own (RELEASE_GO_MODULE)"],
    [dirty, "a checkout without uncommitted changes"],
    [changed.length > 0, `a prepared checkout (npm run release -- --prepare would change ${changed.length} files)`],
    [unsigned.length > 0, `signed tags at this commit (${unsigned.join(" and ")})`],
    [baseImages(dockerfile).some(({ digest }) => !digest), "the base image's digest (RELEASE_BASE_DIGEST)"],
    [!trusted && !env.NODE_AUTH_TOKEN, "an npm account (NODE_AUTH_TOKEN, or trusted publishing)"],
    [!env.TWINE_PASSWORD, "a PyPI account (TWINE_USERNAME and TWINE_PASSWORD)"],
    [!env.RELEASE_IMAGE, "an image registry (RELEASE_IMAGE, after docker login)"],
    [!env.RELEASE_SIGNING_KEY, "a signing identity (RELEASE_SIGNING_KEY, the ID of a GPG key)"],
    [!env.RELEASE_REPOSITORY, "the repository's public URL (RELEASE_REPOSITORY)"],
    ...["git", "npm", "twine", "docker", "gpg", "go"].map((name): [boolean, string] => [
      !has(name),
      `the program ${name}`,
    ]),
  ];
  return needs.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
}

/** Returns the sentence with which a release refuses to start. */
export const refusalOf = (version: string, missing: readonly string[]): string =>
  `Couldn't release ${version}. These are missing: ${missing.join("; ")}. To build everything without publishing, add --dry-run.`;

export type PublishCommand = { program: string; args: string[] };

/**
 * Returns the commands that publish a release, in their order. Signing comes first, because it
 * fails without consequences. Go's proxy reads the tags, so its command only asks for the version.
 */
export function publishCommands(
  folder: string,
  { version, goModule }: { version: string; goModule: string },
  env: NodeJS.ProcessEnv,
): PublishCommand[] {
  const [npmPackage, source, wheel] = packageNames(version).map((name) => `${folder}/${name}`) as [
    string,
    string,
    string,
  ];
  const image = `${env.RELEASE_IMAGE || "IMAGE"}:${version}`;
  const key = env.RELEASE_SIGNING_KEY || "KEY";
  const provenance = env.ACTIONS_ID_TOKEN_REQUEST_URL ? ["--provenance"] : [];
  const platforms = ["--platform", "linux/amd64,linux/arm64", "--provenance", "mode=max", "--sbom", "true"];
  return [
    { program: "gpg", args: ["--local-user", key, "--armor", "--detach-sign", `${folder}/SHA256SUMS`] },
    {
      program: "docker",
      args: ["buildx", "build", "-f", "deploy/Dockerfile", ...platforms, "--tag", image, "--push", "."],
    },
    { program: "npm", args: ["publish", npmPackage, "--access", "public", ...provenance] },
    { program: "twine", args: ["upload", "--non-interactive", source, wheel] },
    { program: "go", args: ["list", "-m", "-json", `${goModule}@v${version}`] },
  ];
}

/** Runs the commands, and stops at the first one that fails. */
export function publish(commands: readonly PublishCommand[], root: string): void {
  for (const { program, args } of commands) {
    const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
    if (status !== 0)
      throw new Error(
        `${program} failed. Correct the problem, and run the remaining commands of RELEASING.md by hand.`,
      );
  }
}

const git = (root: string, ...args: string[]) => spawnSync("git", args, { cwd: root, encoding: "utf8" });

/** Reads a checkout's state for a release. */
export function readState(
  root: string,
  facts: Pick<ReleaseState, "version" | "goModule" | "changed" | "dockerfile">,
): ReleaseState {
  const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
  const tags = tagsOf(facts.version).filter(
    (tag) =>
      git(root, "rev-parse", "--verify", "--quiet", `${tag}^{commit}`).stdout.trim() === head &&
      git(root, "verify-tag", tag).status === 0,
  );
  const dirty = git(root, "status", "--porcelain").stdout.trim() !== "";
  return { ...facts, dirty, tags, environment: process.env, has: (program) => findProgram(program) !== undefined };
}
