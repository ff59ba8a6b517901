import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientFiles } from "./client-files";

// `npm run client`: a test keeps the committed files equal to what the source gives.
const folder = join(import.meta.dirname, "../../public/client");
const { js, types } = await clientFiles();
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "countersign.js"), js);
writeFileSync(join(folder, "countersign.d.ts"), types);
