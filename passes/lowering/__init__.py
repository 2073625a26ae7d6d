"""From tensors with places to steps on buffers: functions, control flow, calls, copies, instruction selection."""
