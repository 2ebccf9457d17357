"""Devices side by side: their values found by rule, a table and sentences made of them."""
