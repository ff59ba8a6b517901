/**
 * The storage key for an owner's ID. In local storage, the value is the owner who turned on alerts
 * in this browser. In a tab's session storage, the value is the owner whose session the tab last
 * reported.
 */
export const alertsStorageKey = "countersign.alerts";
