import { expect, it } from "vitest";
import { ActivityKind } from "./activity-schema";
import { describeEvent, eventDescriptions, eventTypesOfKind } from "./event-descriptions";

const types = Object.keys(eventDescriptions);

it("assigns at least one event type to every kind of activity", () => {
  for (const kind of ActivityKind.options) expect([kind, eventTypesOfKind(kind).length > 0]).toEqual([kind, true]);
});

it("describes every event type in a sentence", () => {
  for (const type of [...types, "something.else", "__proto__", "constructor"]) {
    const { sentence: says } = describeEvent(type);
    const text = typeof says === "function" ? says({}) : says;
    expect([type, text]).toEqual([type, expect.stringMatching(/^(\{app\}|[A-Z]).*[a-z_})]$/)]);
    expect(text).not.toMatch(/undefined,|\[object|null/);
  }
});

const says = (type: string, data: Record<string, unknown>) => {
  const found = describeEvent(type).sentence;
  return typeof found === "function" ? found(data) : found;
};

it("describes an answer or an undo through an email link", () => {
  const tell = (data: Record<string, unknown>) => says("approval.answered_by_link", data);
  expect(tell({ device: "Safari on iPhone", address: "192.0.2.7" })).toBe(
    "You answered {app} through an email link (Safari on iPhone, 192.0.2.7)",
  );
  expect(tell({ device: "Safari on iPhone", address: "", undone: true })).toBe(
    "You undid an answer to {app} through an email link (Safari on iPhone)",
  );
  expect(tell({})).toBe("You answered {app} through an email link");
});

it("includes the channel in the description of an answer from an alert", () => {
  expect(says("approval.pressed", { on: "My Slack" })).toBe("You chose an answer to {app} in an alert on My Slack");
});

it("describes changed settings with the settings page's labels", () => {
  expect(says("owner.settings_changed", { changed: ["lockScreen", "timeZone"] })).toBe(
    "You changed settings: alert text, time zone",
  );
  expect(says("owner.settings_changed", { changed: [] })).toBe("You changed a setting");
});

it("describes changes to a grant", () => {
  expect(says("grant.changed", { added: ["approvals:write"], removed: [], integrations: [] })).toBe(
    "You allowed {app} to ask you questions",
  );
  expect(says("grant.changed", { added: ["approvals:write", "notifications:write"], days: 30, via: "device" })).toBe(
    "You allowed {app} on another device to ask you questions and send you notifications for 30 days",
  );
  expect(says("grant.changed", { removed: ["approvals:read"] })).toBe(
    "You revoked {app}’s permission to see its questions and your answers",
  );
  expect(says("grant.changed", { added: ["approvals:read"], undone: true })).toBe(
    "You restored {app}’s permission to see its questions and your answers",
  );
  expect(says("grant.changed", { integrations: [] })).toBe("You chose which linked accounts {app} can see");
});

it("describes why an app's request was rejected", () => {
  const refused = (data: object) => says("app.refused", { operation: "listApprovals", count: 1, ...data });
  expect(refused({ status: 403, scope: "approvals:read" })).toBe(
    "{app} tried to see its questions and your answers without your permission",
  );
  expect(refused({ status: 403, scope: "approvals:read", count: 7 })).toMatch(/^{app} tried 7 times to /);
  expect(refused({ status: 401, reason: "expired" })).toBe(
    "{app} used a token that no longer works: the token has expired",
  );
  expect(refused({ status: 409, operation: "resolveApproval" })).toMatch(/already answered or had expired$/);
  expect(refused({ status: 429 })).toMatch(/too many requests, so one of them was rejected$/);
});

it("describes linked accounts by provider and omits their addresses", () => {
  const google = { provider: "google", email: "olive@work.example" };
  const changed = (data: object) => says("integration.status_changed", { ...google, ...data });
  expect(says("integration.linked", google)).toBe("You linked your Google account");
  expect(says("integration.linked", { provider: "mail" })).toBe("You linked your mail account");
  expect(says("integration.linked", { ...google, again: true })).toBe("You reconnected your Google account");
  expect(changed({ from: "error", to: "connected" })).toBe("Your Google account works again");
  expect(changed({ to: "needs_reauth", reason: "revoked_at_provider" })).toBe(
    "Your Google account needs to be reconnected: access was revoked at the provider",
  );
  expect(changed({ to: "error", reason: "provider_down" })).toMatch(
    /is temporarily unavailable: the provider didn’t respond$/,
  );
  expect(changed({ to: "error", reason: "constructor" })).toMatch(/is temporarily unavailable$/);
  expect(changed({ from: "connected", to: "disconnected" })).toBe("You removed your Google account");
  expect(changed({ from: "disconnected", to: "error" })).toBe("Your Google account is linked again");
  expect(says("integration.status_changed", { to: "connected" })).toBe("Your linked account works again");
  expect(says("integration.renamed", { ...google, label: "Work" })).toBe("You renamed your Google account to Work");
  expect(says("integration.renamed", { ...google, label: "" })).toMatch(/removed the name of your Google account/);
  expect(says("integration.access_changed", { ...google, added: ["calendar.read"], removed: ["mail.write"] })).toBe(
    "Your Google account now shares different data: read access to calendar added, write access to mail removed",
  );
  for (const type of types.filter((it) => it.startsWith("integration."))) {
    for (const to of ["connected", "needs_reauth", "error", "disconnected"]) {
      expect(says(type, { ...google, to, label: "Work" })).not.toContain("@");
    }
  }
});
