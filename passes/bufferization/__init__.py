"""From tensors with places to memrefs: function boundary, storages, views, ops by their forms, control flow, calls."""
