"""docs/rate.md: every command on the page is run, in order, and prints what the page says."""
from composition_page_test import run_page
from conftest import ROOT


def test_every_command_of_the_page(tmp_path):
    run_page(ROOT / "docs" / "rate.md", tmp_path, 8)
