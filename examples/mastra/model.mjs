export const model = "openai/gpt-5-mini";
