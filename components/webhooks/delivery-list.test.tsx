import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { Delivery } from "@/lib/webhooks/schema";
import { DeliveryList, UnavailableDelivery } from "./delivery-list";

const delivery: Delivery = {
  ...{ id: "whd_1", event: "evt_1", type: "approval.resolved", state: "delivered", attempts: 1 },
  createdAt: Date.now(),
};
const textOf = (markup: React.ReactElement) =>
  renderToStaticMarkup(<AppRouterContext value={{} as AppRouterInstance}>{markup}</AppRouterContext>)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
const list = (items: Delivery[], isComplete: boolean, isFiltered = false) =>
  textOf(<DeliveryList page={{ items, isComplete }} at="/developer/app_1/webhooks/whk_1" isFiltered={isFiltered} />);
const sentence = "Some deliveries are unavailable at the moment, because a database does not respond.";

describe("a list of deliveries", () => {
  test("states that some are unavailable, above the others", () => {
    expect(list([delivery], false)).toMatch(new RegExp(`${sentence}.*approval.resolved`));
    expect(list([delivery], true)).not.toContain("unavailable");
  });

  test("does not claim that there are none while some are unavailable", () => {
    expect(list([], false)).toContain(sentence);
    expect(list([], false)).not.toContain("No ");
    expect(list([], true)).toContain("No deliveries yet.");
    expect(list([], true, true)).toContain("No matching deliveries.");
  });
});

test("states that a delivery is unavailable", () => {
  expect(textOf(<UnavailableDelivery />)).toContain(
    "This delivery is unavailable at the moment, because a database does not respond.",
  );
});
