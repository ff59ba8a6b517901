/**
 * The storage key for an owner's ID. Local storage keeps the ID of the owner who turned on alerts
 * in this browser. Session storage keeps the ID of the owner for whom this tab last reported the
 * browser.
 */
export const alertsStorageKey = "countersign.alerts";
