"""The best plan (docs/storage.md, 8) by search, step by step, a file each.

`facts.py` looks once at who reads what and when. `atoms.py` lists what can be decided: atoms, each taken or not.
`arrangement.py` places the values of a component under a set of atoms, `scene.py` answers questions about that,
`verdict.py` says what is wrong with it, as sets of atoms that cannot all be taken, `worth.py` what it is worth if
nothing is. `search.py` picks the atoms: whatever is wrong names the atoms that are to blame, so only these are tried
out. `choose.py` turns the best atoms into decisions.
"""
