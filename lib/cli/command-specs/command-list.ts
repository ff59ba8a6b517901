import { access } from "./access-commands";
import { asking } from "./ask-commands";
import type { CommandSpec, SectionSpec } from "./command-spec";
import { running } from "./service-commands";

/** Every command, in the order of the help. */
export const sections: readonly SectionSpec[] = [asking, access, running];

export const commandSpecs: ReadonlyMap<string, CommandSpec> = new Map(
  sections.flatMap(({ commands }) => Object.entries(commands)),
);
