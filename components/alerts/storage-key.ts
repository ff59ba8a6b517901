/**
 * Storage key of the owner who turned on alerts in this browser; in a tab, of the owner whose
 * session it last reported.
 */
export const alertsStorageKey = "countersign.alerts";
