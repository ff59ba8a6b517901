/**
 * The storage key for an owner's ID. In local storage, this owner turned on alerts in this browser.
 * In session storage, this tab last registered the browser for this owner.
 */
export const alertsStorageKey = "countersign.alerts";
