import { readFileSync, writeFileSync } from "node:fs";
import { findProgram } from "../find-program";
import { runSystem } from "../test-with-programs";

/*
 * Pins the base image of deploy/Dockerfile by its digest. A tag can change later, so without a
 * digest, two builds of one release can differ.
 */

const from = /^(FROM )([^\s@]+)(?:@(sha256:[0-9a-f]{64}))?(.*)$/gm;

/** Returns the base images of a Dockerfile, each with its digest if it has one. */
export const baseImages = (text: string): { image: string; digest: string | undefined }[] =>
  [...text.matchAll(from)].map(([, , image = "", digest]) => ({ image, digest }));

/** Returns the Dockerfile with the base image pinned. */
export function pinned(text: string, image: string, digest: string): string {
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${digest} is not a digest like sha256:<64 hex digits>.`);
  return text.replaceAll(from, (line, start: string, named: string, _old: string | undefined, end: string) =>
    named === image ? `${start}${named}@${digest}${end}` : line,
  );
}

/**
 * Returns the digest of an image for all its platforms, from its registry.
 * @throws if there is no `docker`, or no network
 */
async function digestOf(image: string): Promise<string> {
  if (!findProgram("docker")) throw new Error("there is no docker");
  const args = ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"];
  const { status, out, err } = await runSystem("docker", args);
  const [digest] = /sha256:[0-9a-f]{64}/.exec(out) ?? [];
  if (status !== 0 || !digest) throw new Error(`docker: ${err.trim().split("\n")[0] || "no digest"}`);
  return digest;
}

/**
 * Pins the base images in a Dockerfile that have no digest yet.
 * @param given the digest, if the operator set one
 * @param skip called with a reason if a digest is unknown; the Dockerfile then keeps the tag
 */
export async function pinBaseImages(file: string, given: string | undefined, skip: (reason: string) => void) {
  let text = readFileSync(file, "utf8");
  const open = new Set(baseImages(text).flatMap(({ image, digest }) => (digest ? [] : [image])));
  for (const image of open) {
    try {
      text = pinned(text, image, given ?? (await digestOf(image)));
    } catch (error) {
      const reason = (error as Error).message;
      skip(`the digest of ${image} (${reason}). To set the digest, use RELEASE_BASE_DIGEST.`);
    }
  }
  writeFileSync(file, text);
}
