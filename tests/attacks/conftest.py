"""The attacks run the built program as tests/cli does: the same runner and fixtures."""
import importlib.util
import pathlib
import sys

_PATH = pathlib.Path(__file__).resolve().parents[1] / "cli" / "conftest.py"
sys.path.append(str(_PATH.parent))  # what it imports itself
_SPEC = importlib.util.spec_from_file_location("cli_conftest", _PATH)
_CLI = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_CLI)
globals().update({name: value for name, value in vars(_CLI).items() if not name.startswith("_")})
