"""Command lines: opt-tool, run-tool, plan-tool."""
