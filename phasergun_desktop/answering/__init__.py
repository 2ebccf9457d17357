"""Answering: plan, compose, bind, check; the one path for drafts, questions and evaluation."""
