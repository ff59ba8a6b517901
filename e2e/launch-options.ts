import type { LaunchOptions } from "@playwright/test";
import { findChromium } from "@/lib/testing/find-chromium";

/**
 * Launch options for the tests' browser.
 * @param whole uses a full browser; a headless shell shows no notifications
 */
export function launching(whole = false): LaunchOptions {
  const executablePath = findChromium(whole);
  return {
    ...(executablePath && { executablePath }),
    args: [
      // A host name for this computer other than localhost, as phones see it.
      "--host-resolver-rules=MAP countersign.test 127.0.0.1",
      // Chromium's sandbox refuses to run as root, which containers usually do.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      // Test pages exist for seconds, so optimizing their scripts costs more than it saves.
      ...(whole ? [] : ["--js-flags=--no-opt"]),
    ],
  };
}
