"""From raw material to a frozen, checksummed release."""
