"""Greenroom: a desktop workspace for people who give talks, operated by voice, by typing, or by mouse."""
