/**
 * Escapes an app's words, so that they never become a link, a mention or a command in Slack or
 * Mattermost.
 */
export const escapeMarkup = (words: string): string =>
  words.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/@/g, "@\u200b");
