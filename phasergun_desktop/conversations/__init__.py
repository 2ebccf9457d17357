"""Conversations: turns and citation numbers that hold (built with asking)."""
