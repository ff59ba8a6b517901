/** The version of the interface for apps, which every reply names. What it promises is in docs/compatibility.md. */
export const apiVersion = "1";
