import { expect, test } from "vitest";
import { unreadSettings } from "./unknown-settings";

const read = (environment: Record<string, string>, file = "") =>
  unreadSettings(environment as unknown as NodeJS.ProcessEnv, file);
const mean = (name: string, setting: string) => [
  `${name} is not a setting and has no effect. Did you mean ${setting}?`,
];

test.each([
  ["RATELIMIT", "RATE_LIMIT"],
  ["rate_limit", "RATE_LIMIT"],
  ["RATE_LIMITS", "RATE_LIMIT"],
  ["PUBLIC_ULR", "PUBLIC_URL"],
  ["DATABSE_URL", "DATABASE_URL"],
])("suggests a setting for the unknown variable %s: %s", (name, setting) => {
  expect(read({ [name]: "5" })).toEqual(mean(name, setting));
});

test.each(["PATH", "HOSTNAME", "PORTS", "HOSTS", "OTEL_SERVICE_NAME", "PGHOST", "GITHUB_SERVER_URL", "RATE_LIMIT"])(
  "ignores %s in the environment",
  (name) => expect(read({ [name]: "5" })).toEqual([]),
);

test("reports each unknown setting in .env only once", () => {
  expect(read({ MAXPENDIN: "1" }, "MAXPENDIN=1\nPROCESSES=2\nMAX_PENDING=3\nOTEL_X=4")).toEqual([
    ...mean("MAXPENDIN", "MAX_PENDING"),
    "PROCESSES is not a setting and has no effect. Remove PROCESSES.",
  ]);
});
