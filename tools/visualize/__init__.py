"""Pictures of memory: the map of an arena as SVG, as a page, as a table; the graph of a program for graphviz.

`memory.py` says what a map is and knows no IR; `read.py` reads one off a function; the others draw.
"""
