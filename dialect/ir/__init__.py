"""What xDSL leaves open of any IR: control flow graph, calls, region branches, sizes, element types, diagnostics."""
