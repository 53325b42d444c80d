"""PostgreSQL where libpq is missing: a file of that name that cannot be loaded stands in for none."""


def test_a_machine_without_libpq_is_told_what_to_install(fugu, tmp_path):
    (tmp_path / "libpq.so.5").write_text("not a library")
    result = fugu("inspect", "postgresql://somebody:hunter2@host/name", "--table", "people", LD_LIBRARY_PATH=str(tmp_path))
    assert result.status == 5 and result.out == ""
    assert result.err.splitlines() == ["fugu: PostgreSQL is read with libpq, which this machine does not have",
                                       "hint: apt-get install libpq5"]
