import { env } from "@/lib/config/env";

/** Whether owners reach us by https only. */
export const isSecure = (): boolean => env().publicUrl.startsWith("https:");

/** A cookie's whole name: where there is https no other host can set one of this name. */
export const cookieName = (name: string): string => `${isSecure() ? "__Host-" : ""}countersign-${name}`;

/** A cookie that no script reads. @param more other attributes of it */
export const privateCookie = <More extends object>(name: string, more: More) => ({
  name: cookieName(name),
  options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(), ...more } as const,
});
