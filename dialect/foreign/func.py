"""The contract of a call: what the function that is called promises (`dialect/storage/call_interface.py`)."""

from __future__ import annotations

from xdsl.dialects.func import CallOp

from lastuse.dialect.storage.call_interface import call_contract
from lastuse.dialect.storage.contract import supply_contract

supply_contract(CallOp, call_contract)
