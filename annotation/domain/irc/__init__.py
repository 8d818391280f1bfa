"""Dialogues of two people out of the log of a chat channel, after the Ubuntu study (Lowe et al. 2015)."""
