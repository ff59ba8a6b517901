import { access } from "./access";
import { asking } from "./asking";
import type { CommandSpec, SectionSpec } from "./offer";
import { running } from "./running";

/** Every command, in the order of the help. */
export const sections: readonly SectionSpec[] = [asking, access, running];

/** All commands by name. */
export const commandSpecs: ReadonlyMap<string, CommandSpec> = new Map(
  sections.flatMap(({ commands }) => Object.entries(commands)),
);
