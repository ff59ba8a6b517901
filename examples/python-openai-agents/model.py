model = "gpt-5-mini"
