import { z } from "zod";
import { logLevels } from "@/lib/log";

/** The operator's telemetry settings. */
export const telemetrySettings = {
  METRICS_PORT: z
    .string()
    .regex(/^\d{1,5}$/, "Must be a whole number from 0 to 65535")
    .transform(Number)
    .refine((port) => port <= 65535, "Must be a whole number from 0 to 65535")
    .optional(),
  METRICS_HOST: z
    .string()
    .regex(/^[\w.:-]+$/, "Must be an address to listen on, like 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  LOG_LEVEL: z.enum(logLevels, "Must be info, warn or error").default("info"),
  ACCESS_LOG: z.enum(["on", "off"], "Must be on or off").default("off"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine(
      (text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text),
      "Must be an http(s) address, like http://127.0.0.1:4318",
    )
    .optional(),
};
