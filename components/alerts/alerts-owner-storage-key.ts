/**
 * The storage key of an owner ID. In local storage, it is the owner who turned on alerts in this
 * browser. In a tab, it is the owner whose session the tab last reported.
 */
export const alertsStorageKey = "countersign.alerts";
