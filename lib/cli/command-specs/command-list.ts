import { asking } from "./ask-and-test-commands";
import type { CommandSpec, SectionSpec } from "./command-spec";
import { maintenance } from "./maintenance-commands";
import { access } from "./owner-and-app-commands";

/** Every command, in the order of the help. */
export const sections: readonly SectionSpec[] = [asking, access, maintenance];

export const commandSpecs: ReadonlyMap<string, CommandSpec> = new Map(
  sections.flatMap(({ commands }) => Object.entries(commands)),
);
