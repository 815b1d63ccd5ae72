"""Chat Completions over HTTP as servers really speak it: requests, streams, faults, and what they teach."""
