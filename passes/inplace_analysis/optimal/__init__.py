"""The best plan (docs/storage.md, 8) by search, step by step, a file each.

`last_reads.py` computes the last reads of every value once. `variables.py` lists the choices, each taken or not.
`assignment.py` places the values of a component under a set of choices, and answers questions about these places.
`conflicts.py` finds conflicts, as nogoods: sets of choices that cannot all be taken. `objective.py` computes the
score of an assignment without conflicts; `class_evaluation.py` has both of a set of choices, class by class.
`bound.py` and `relaxation.py` are upper bounds of the score: `relaxation.py` by a program of clauses
(`passes/planning/clause_program.py`), with few choices of which one is needed to place two values at one place
(`place_graph.py`).
`search.py` selects the choices: each conflict names its choices, so the search drops only these. `solve.py` turns the
best choices into decisions.
"""
