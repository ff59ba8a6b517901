export const model = "gpt-5-mini";
