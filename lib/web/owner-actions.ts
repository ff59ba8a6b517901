import type { z } from "zod";
import * as alerts from "@/lib/alerts/owner-acts";
import * as approvals from "@/lib/approvals/owner-actions";
import * as apps from "@/lib/apps/owner-acts";
import * as grants from "@/lib/grants/owner-acts";
import * as integrations from "@/lib/integrations/owner-acts";
import * as notifications from "@/lib/notifications/owner-acts";
import type { OwnerAction } from "@/lib/owner-action";
import * as ownerData from "@/lib/owner-data/owner-acts";
import * as owners from "@/lib/owners/owner-acts";
import * as webhooks from "@/lib/webhooks/owner-acts";
import * as palette from "./palette-acts";

const domains = [
  approvals,
  notifications,
  grants,
  webhooks,
  apps,
  integrations,
  alerts,
  palette,
  owners,
  ownerData,
] as const;

type Domain = (typeof domains)[number];
type Values<T> = T extends unknown ? T[keyof T] : never;
type Each<T> = T extends readonly (infer Act)[] ? Act : T;
type Known = Extract<Each<Values<Domain>>, { name: string }>;

/** All owner actions by name: the only list, for the route, the controls and the tests. */
export type OwnerActs = { [Act in Known as Act["name"]]: Act };
export type ActName = keyof OwnerActs;
/** The input and result of an action's form. */
export type ActInput<Name extends ActName> = z.input<OwnerActs[Name]["input"]>;
export type ActOutput<Name extends ActName> = Awaited<ReturnType<OwnerActs[Name]["run"]>>;

/** @see OwnerActs */
export const ownerActs: ReadonlyMap<string, OwnerAction> = new Map(
  domains
    .flatMap((domain) => Object.values<OwnerAction | readonly OwnerAction[]>(domain))
    .flat()
    .map((act) => [act.name, act]),
);
