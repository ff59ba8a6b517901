import type { z } from "zod";
import * as approvals from "@/lib/approvals/owner-acts";
import * as notifications from "@/lib/notifications/owner-acts";
import type { OwnerAct } from "@/lib/owner-act";

const domains = { ...approvals, ...notifications };

type Each<T> = T extends readonly (infer Act)[] ? Act : T;
type Known = Each<(typeof domains)[keyof typeof domains]>;

/** Every act there is, by its name: the one list of them, for the route, the controls and the tests. */
export type OwnerActs = { [Act in Known as Act["name"]]: Act };
export type ActName = keyof OwnerActs;
/** What the form of an act says, and what the act answers. */
export type ActInput<Name extends ActName> = z.input<OwnerActs[Name]["input"]>;
export type ActOutput<Name extends ActName> = Awaited<ReturnType<OwnerActs[Name]["run"]>>;

/** @see OwnerActs */
export const ownerActs: ReadonlyMap<string, OwnerAct> = new Map(
  Object.values<OwnerAct | readonly OwnerAct[]>(domains)
    .flat()
    .map((act) => [act.name, act]),
);
