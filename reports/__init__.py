"""Saying it to people: terminal, JSON and HTML."""
