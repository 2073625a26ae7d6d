"""Which result may overwrite which operand: legality, the greedy walk, the optimum, the policies of five systems."""
