"""ONNX models to modules of dnn ops."""
