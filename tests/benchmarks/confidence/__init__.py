"""Whether the confidence of an answer says how often such answers are right."""
