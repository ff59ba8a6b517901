import { expect, test } from "vitest";
import { triageMessage } from "./triage-message";

test("names the list to which muted notifications move", () => {
  expect(triageMessage("mute-app", 1)).toBe("App muted. The app’s notifications are under Muted.");
  expect(triageMessage("mute-type", 1)).toBe(
    "Notification type muted for this app. Notifications of this type are under Muted.",
  );
  expect(triageMessage("unmute-app", 1)).toBe("App unmuted");
});
