//! The many ways in which services say that a conversation is longer than the model's window.
//!
//! Pure. Each entry is a phrase that a service is known to send; none occurs in a complaint about
//! too many requests or tokens per minute, which must not lead to a compaction.

/// Phrases in lower case, with the service that uses them.
const PHRASES: &[&str] = &[
    // OpenAI, vLLM, Mistral, OpenRouter, DeepSeek
    "maximum context length",
    "context_length_exceeded",
    "context length exceeded",
    "exceeds the context window",
    "exceeds the model's context",
    // Anthropic
    "prompt is too long",
    "exceed context limit",
    "model_context_window_exceeded",
    // Ollama
    "prompt too long",
    "max context length",
    // llama.cpp
    "exceed_context_size_error",
    "exceeds the available context size",
    // LM Studio
    "greater than the context length",
    "context_overflow",
    "context overflow",
    // SGLang and gateways
    "configured context size",
    "exceeds the maximum allowed input length",
    "longer than the model's context length",
    "context window exceeded",
    "context window exceeds",
    "context_window_exceeded",
    // Gemini
    "exceeds the maximum number of tokens",
    // xAI
    "maximum prompt length is",
    // Groq
    "reduce the length of the messages",
    // Bedrock
    "input is too long",
    // Together
    "`inputs` tokens + `max_new_tokens`",
    // Moonshot
    "exceeded model token limit",
];

/// Marks of a limit on requests or tokens over time.
const RATE_MARKS: &[&str] = &[
    "tokens per min",
    "tokens per day",
    "tokens per hour",
    "requests per",
    "rate limit",
    "rate_limit",
    "too many requests",
    "(tpm)",
];

/// Whether a service's words, or a code of its, say that the conversation is too long.
pub fn is_overflow(text: &str) -> bool {
    let text = text.to_lowercase();
    PHRASES.iter().any(|phrase| text.contains(phrase))
        && !RATE_MARKS.iter().any(|mark| text.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_services_say_of_a_full_window_is_recognised() {
        let texts = [
            "prompt too long; exceeded max context length by 100918 tokens",
            "Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens",
            "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
            "This model's maximum context length is 262144 tokens. However, you requested 0 output \
             tokens and your prompt contains at least 262145 input tokens",
            "exceed_context_size_error",
            "the request exceeds the available context size, try increasing it",
            "context_overflow",
            "prompt is too long: 3059586 tokens > 1000000 maximum",
            "input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000",
            "Your input exceeds the context window of this model.",
            "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
            "Please reduce the length of the messages or completion.",
            "Invalid request: Your request exceeded model token limit: 262144",
        ];
        for text in texts {
            assert!(is_overflow(text), "{text}");
        }
    }

    #[test]
    fn limits_over_time_and_other_complaints_are_not() {
        let texts = [
            "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit \
             30000, Requested 40000. The input or output tokens must be reduced.",
            "Rate limit reached for requests; maximum context length applies as well",
            "Too many requests",
            "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
            "Unsupported parameter: 'max_tokens' is not supported with this model.",
            "",
        ];
        for text in texts {
            assert!(!is_overflow(text), "{text}");
        }
    }
}
