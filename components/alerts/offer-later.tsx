"use client";
import { later } from "@/components/layout/later";
import { useAlive } from "@/components/ui/use-alive";

/** The offers, fetched when there is something to offer: the inbox opens without them. */
const Offer = later(() => import("./offer").then((it) => it.Offer));

export const OfferLater = (props: React.ComponentProps<typeof Offer>) =>
  useAlive() && props.answered > 0 ? <Offer {...props} /> : null;
