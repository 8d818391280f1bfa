"""An app that the benchmark of starting adds to the product: a page whose job tells when it began."""
