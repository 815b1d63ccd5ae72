"""Traces of runs: which steps each took and how long, kept on this machine and sent by OTLP where that is set up."""
