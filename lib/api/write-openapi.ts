import { writeFileSync } from "node:fs";
import { openapiText } from "./openapi";

// `npm run openapi`: a test keeps the committed document equal to the derived one.
writeFileSync(new URL("../../public/openapi.json", import.meta.url), openapiText());
