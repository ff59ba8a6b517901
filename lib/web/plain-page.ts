import { escapeHtml } from "@/lib/text/escape-html";

/**
 * Returns a short page for responses outside the application.
 * @param html inserted without escaping
 * @param nonce the nonce in the page's Content-Security-Policy, for the page's style
 */
export const plainPage = (title: string, html: string, nonce?: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>${nonce ? `<style nonce="${escapeHtml(nonce)}">${look}</style>` : ""}${html}</html>`;

const look =
  "body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}figure{margin:1rem 0;padding:.75rem 1rem;border:1px solid;border-radius:.5rem}pre{margin:.25rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}";
