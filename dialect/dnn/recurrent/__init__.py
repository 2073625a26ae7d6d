"""Recurrent ops of the dnn dialect, on padded and on ragged batches, with their kernels."""
