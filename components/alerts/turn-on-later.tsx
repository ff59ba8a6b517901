"use client";
import { later } from "@/components/layout/later";
import { useAlive } from "@/components/ui/use-alive";

const TurnOn = later(() => import("./turn-on").then((it) => it.TurnOn));

/** The button that turns alerts on, fetched where it is offered beside the list. */
export const TurnOnLater = (props: React.ComponentProps<typeof TurnOn>) => (useAlive() ? <TurnOn {...props} /> : null);
