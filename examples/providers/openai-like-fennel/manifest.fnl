{:name :openai-like
 :description "A provider for servers that speak Chat Completions"
 :capabilities [:http]}
