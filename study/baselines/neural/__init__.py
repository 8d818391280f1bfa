"""Models that are neural networks. What imports torch at its head is in `networks`, which functions import."""
