"""From a plan to a draft: arranged, stated word for word or joined by a model, bound and judged."""
