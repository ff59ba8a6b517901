import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openapiText } from "@/lib/api/openapi";
import { openapi30Text } from "@/lib/api/openapi-3.0";
import { reference } from "@/lib/cli/command-specs/command-reference";
import { architecturePicture, pictureFile } from "./architecture-picture";
import { lensFile, lensPath } from "./build-lens";
import { derivedDocs } from "./derived-doc-tables";
import { clientTypes } from "./generate-client-types";
import { writeClientArchives } from "./hosted-client-archives";
import { clientFiles } from "./hosted-client-files";
import { licensesPage } from "./licenses";
import { collectionFile, collectionText } from "./postman-collection";
import { syncClientFile, syncClientText } from "./python-sync-client";
import { writeOneVersion } from "./release/one-version";

// `npm run derive`: rewrites all committed files that are generated. Tests compare each with its
// source.
const root = join(import.meta.dirname, "../..");
writeOneVersion(root);
writeFileSync(join(root, "public/openapi.json"), openapiText());
writeFileSync(join(root, "public/openapi-3.0.json"), openapi30Text());
writeFileSync(join(root, collectionFile), collectionText());
writeFileSync(join(root, "lib/client/types.ts"), clientTypes());
writeFileSync(join(root, "docs/commands.md"), reference());
writeFileSync(join(root, syncClientFile), syncClientText());
writeFileSync(join(root, lensPath), lensFile());
for (const [file, text] of Object.entries(derivedDocs())) writeFileSync(join(root, file), text);
writeFileSync(join(root, pictureFile), architecturePicture());
// Uses the types that were just written.
const { js, types } = await clientFiles();
writeFileSync(join(root, "public/client/countersign.js"), js);
writeFileSync(join(root, "public/client/countersign.d.ts"), types);
await writeClientArchives();
const lockFile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
writeFileSync(join(root, "docs/licenses.md"), licensesPage(lockFile));
