/**
 * The storage key for an owner's ID. Local storage has the owner who turned on alerts in this
 * browser. A tab's session storage has the owner whose session the tab last reported.
 */
export const alertsStorageKey = "countersign.alerts";
