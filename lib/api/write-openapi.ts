import { writeFileSync } from "node:fs";
import { clientTypes } from "./client-types";
import { openapiText } from "./openapi";

// `npm run openapi`: tests keep the committed document, and the client's types, equal to the derived ones.
writeFileSync(new URL("../../public/openapi.json", import.meta.url), openapiText());
writeFileSync(new URL("../client/types.ts", import.meta.url), clientTypes());
