"""Storage contracts of xDSL's own dialects, so that the passes work on them in other pipelines.

One module for each dialect. `contract_of` imports it at the first op of the dialect; a module without such ops does not
load it. A contract that was registered before the import stays; one that is registered later replaces it.

What these ops mean for memory is what upstream's bufferization makes of them: kernels are loops over memrefs with
strided layouts, so any strides will do; results of `tensor.empty` and `outs` operands that the kernel does not read are
places only. Sizes come from the ops' types, and of a result that goes over its destination from the destination; where
the step of a slice is known at run time only the op stays foreign. These ops do nothing but make their
results.

| dialect | in place | views | data movement | constants |
|---|---|---|---|---|
| `arith` | ops on tensors, over each operand of the result's type | `bitcast` | | `constant` |
| `bufferization` | `materialize_in_destination` over its destination | | that, `alloc_tensor` with a copy | |
| `func` | `call`, a tied result over its operand, where the function says where its results lie | | | |
| `linalg` | ops over `outs`; elementwise ones over each operand of equal type and map | | | |
| `math` | ops on tensors, over each operand of the result's type | | | |
| `tensor` | `insert` | `cast`, `collapse_shape`, `expand_shape`, `extract_slice` | `insert_slice`, `concat` | |
| `tosa` | elementwise ops, over each operand of the result's type | | `concat` | `const` |
| `vector` | `transfer_write` over its destination | | | |

Others of these dialects that make fresh results are declared to do so (`tensor.empty`, `tensor.pad`, `tosa.matmul`).
All the rest is foreign: `tensor.reshape`, ops on memrefs. Structured ops of `linalg` that xDSL does not know are
declared by name: they are read in generic form.
"""
