"""The best plan (docs/storage.md, 8) by search, step by step, a file each.

`last_reads.py` computes the last reads of every value once. `variables.py` lists the choices, each taken or not.
`assignment.py` places the values of a component under a set of choices, and answers questions about these places.
`conflicts.py` finds conflicts, as nogoods: sets of choices that cannot all be taken. `objective.py` computes the
score of an assignment without conflicts. `search.py` selects the choices: each conflict names its choices, so the
search drops only these. `solve.py` turns the best choices into decisions.
"""
