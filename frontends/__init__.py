"""Front ends: from a file to a module of the dnn dialect."""
