model = "openai/gpt-5-mini"
