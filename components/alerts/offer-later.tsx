"use client";
import dynamic from "next/dynamic";

/** The offers, fetched when there is something to offer: the inbox opens without them. */
const Offer = dynamic(() => import("./offer"), { ssr: false });

export const OfferLater = (props: React.ComponentProps<typeof Offer>) =>
  props.answered > 0 ? <Offer {...props} /> : null;
