"""Models made of pre-trained weights: architectures, the folder of weights (weights), and a module for each family."""
