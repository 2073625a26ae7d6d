"""Orders of operations: the dependence graph, the search for an order, and orders together with offsets."""
