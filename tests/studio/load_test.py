"""A short load: many pages at once, with requests that never end and bodies that are too large beside them."""
import pathlib
import sys

from conftest import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "bench" / "studio"))
import load  # noqa: E402


def test_many_pages_at_once_break_nothing():
    result = load.measure(PROGRAM, clients=20, seconds=5, rows=0)
    assert result["exit"] == 0
    # A page's older calibration may be replaced by its own newer one; nothing fails, nothing is refused.
    assert set(result["outcomes"]) <= {"compare: done", "calibrate: done", "optima begun: 200"}, result["outcomes"]
    assert result["outcomes"]["compare: done"] >= 20
    assert result["cut_off"] == {"slow head": 3, "slow body": 3, "too large: 413": 3}
    assert pathlib.Path(PROGRAM).exists()
