"""A second recogniser of another kind, for what one recogniser alone can't decide. English only."""
