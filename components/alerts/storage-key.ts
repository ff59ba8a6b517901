/** The owner who turned alerts on in this browser; for a tab, the one whose session the service was told of from it. */
export const alertsStorageKey = "countersign.alerts";
