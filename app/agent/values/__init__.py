"""Turns spoken and typed values into what a field stores."""
