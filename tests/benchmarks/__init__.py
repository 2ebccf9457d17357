"""Benchmarks: ``python -m tests.benchmarks`` measures and prints JSON; they assert nothing."""
