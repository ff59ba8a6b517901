import { codeBlocks, codeOf } from "../markdown-code-blocks";
import { baseUrl } from "./snippet-service";

/*
 * The documentation's code must work as shown. Tests run it unchanged, except for the URL, the port
 * and the token.
 */

/** Returns a page's code with this service's URL. */
const here = (code: string) => code.replaceAll("https://yes.example.com", baseUrl);
/** Returns the quick start's code that asks a question and waits for the answer. */
export const quickStart = (language: string) =>
  here(codeOf("docs/quick-start.md", language, "3. Ask, and wait for the answer"));
/**
 * Returns the quick start's commands in a language: how to download the client, and how to run the
 * program.
 */
export const quickStartCommands = (language: string) =>
  codeBlocks("docs/quick-start.md")
    .filter((block) => block.of === language)
    .map(({ code }) => here(code));
/** Returns the code of the main calls, in the order of the page. */
export const mainCalls = (language: string) =>
  codeBlocks("docs/calls.md")
    .filter((block) => block.language === language)
    .map(({ heading, code }) => ({ heading, code: here(code) }));
export const receiver = (language: string, port: number) =>
  codeOf("docs/webhooks.md", language, "Receive events").replace("8080", String(port));
/** Returns the code that performs an action at most once. */
export const actOnce = (language: string) => here(codeOf("docs/receipts.md", language, "Act once"));
/** Returns the code that stores the owner's keys. */
export const pinOwnerKeys = (language: string) =>
  here(codeOf("docs/signed-answers.md", language, "Pin the owner's keys"));
export const signedAnswerCheck = (language: string) =>
  here(codeOf("docs/signed-answers.md", language, "Verify a signed answer"));
export const receiptCheck = (language: string) => here(codeOf("docs/receipts.md", language, "Receipts"));
