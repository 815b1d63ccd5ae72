"""The command grammar: utterances to calls, with no network and no key."""
