import { cookies } from "next/headers";
import type { Appearance } from "@/lib/owners/schema";
import { isSecure } from "./cookie-options";

/*
 * A cookie mirrors the owner's appearance settings, so that pages apply them from the first byte.
 * They set theme, density and motion on `<html>`.
 */

/** The cookie's name, and its lifetime in seconds. */
const name = "countersign-look";
const kept = 400 * 24 * 60 * 60;

const values = {
  theme: ["system", "light", "dark"],
  density: ["comfortable", "compact"],
  motion: ["system", "reduced"],
} as const;

/** Returns this browser's appearance settings. Ignores unknown values in the cookie. */
export async function readAppearance(): Promise<Appearance> {
  const [theme, density, motion] = ((await cookies()).get(name)?.value ?? "").split(".");
  const one = <T extends string>(known: readonly [T, ...T[]], text: string | undefined): T =>
    known.find((value) => value === text) ?? known[0];
  return { theme: one(values.theme, theme), density: one(values.density, density), motion: one(values.motion, motion) };
}

/** Stores the appearance settings in this browser. For route handlers only. */
export async function rememberAppearance(look: Record<keyof Appearance, string>): Promise<void> {
  (await cookies()).set(name, asText(look), { path: "/", sameSite: "lax", secure: isSecure(), maxAge: kept });
}

/**
 * Returns the appearance cookie as text for `document.cookie`. Pages need it when the settings
 * changed on another device.
 */
export const appearanceCookie = (look: Appearance): string =>
  `${name}=${asText(look)}; path=/; samesite=lax; max-age=${kept}${isSecure() ? "; secure" : ""}`;

const asText = ({ theme, density, motion }: Record<keyof Appearance, string>) => `${theme}.${density}.${motion}`;
