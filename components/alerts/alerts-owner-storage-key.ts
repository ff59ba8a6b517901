/**
 * The storage key for an owner's ID. In local storage, the ID is that of the owner who turned on
 * alerts in this browser. In session storage, it is that of the owner for whom this tab last
 * registered the browser.
 */
export const alertsStorageKey = "countersign.alerts";
