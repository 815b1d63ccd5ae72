"""Values as people say them: numbers, dates, times, addresses, choices, yes or no, text."""

from app.agent.values.parse import ValueReading, parse_value, read_value

__all__ = ["ValueReading", "parse_value", "read_value"]
