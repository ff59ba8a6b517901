/** The provider that a demonstration brings along, while it answers: where, and us as it knows us. */
export type DemoIdentity = { origin: string; clientId: string; clientSecret: string };

// On globalThis because server.ts, which watches it, and Next's bundle each load their own copy of this module.
const shared = globalThis as typeof globalThis & { countersignDemo?: DemoIdentity | undefined };

/** Where it answers now; absent where there is none. */
export const demoIdentity = (): DemoIdentity | undefined => shared.countersignDemo;

export const setDemoIdentity = (demo: DemoIdentity | undefined): void => {
  shared.countersignDemo = demo;
};

/** What owners may let it give, as it calls that. */
export const demoScopes: Record<string, readonly string[]> = Object.fromEntries(
  ["mail", "calendar", "contacts", "files", "tasks"].flatMap((kind) => [
    [`${kind}.read`, [`${kind}:read`]],
    [`${kind}.write`, [`${kind}:write`]],
  ]),
);
