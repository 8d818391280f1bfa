"""The networks themselves, and the loop in which they learn. They import torch, so only functions import them."""
