import type { z } from "zod";
import * as alerts from "@/lib/alerts/owner-actions";
import * as approvals from "@/lib/approvals/owner-actions";
import * as apps from "@/lib/apps/owner-actions";
import type { Action } from "@/lib/form-action";
import * as freeze from "@/lib/freeze/owner-actions";
import * as grants from "@/lib/grants/owner-actions";
import * as integrations from "@/lib/integrations/owner-actions";
import * as notifications from "@/lib/notifications/owner-actions";
import * as oauth from "@/lib/oauth/owner-actions";
import * as ownerData from "@/lib/owner-data/owner-actions";
import * as owners from "@/lib/owners/owner-actions";
import * as webhooks from "@/lib/webhooks/owner-actions";
import * as signIn from "./authentication-actions";
import * as palette from "./palette-search-action";

const domains = [
  ...[approvals, notifications, grants, oauth, webhooks, apps],
  ...[integrations, alerts, palette, owners, ownerData, signIn, freeze],
];

type Domain = (typeof domains)[number];
type Values<T> = T extends unknown ? T[keyof T] : never;
type Each<T> = T extends readonly (infer One)[] ? One : T;
type NamedAction = Extract<Each<Values<Domain>>, { name: string }>;

/** All actions by name. The route, the controls and the tests use this one list. */
export type Actions = { [One in NamedAction as One["name"]]: One };
export type ActionName = keyof Actions;
/** The input and result of an action's form. */
export type ActionInput<Name extends ActionName> = z.input<Actions[Name]["input"]>;
export type ActionOutput<Name extends ActionName> = Awaited<ReturnType<Actions[Name]["run"]>>;

/** The actions by name, for lookups at run time. */
export const actions: ReadonlyMap<string, Action> = new Map(
  domains
    .flatMap((domain) => Object.values<Action | readonly Action[]>(domain))
    .flat()
    .map((one) => [one.name, one]),
);
