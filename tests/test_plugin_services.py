"""The options of the test runs, on small suites of their own."""

import pytest

pytest_plugins = ["pytester"]

SUITE = """
import pytest

def test_that_runs(): pass

@pytest.mark.skip(reason="no luck")
def test_that_skips(): pass

@pytest.mark.xfail(strict=True)
def test_that_is_expected_to_fail(): assert False
"""


@pytest.fixture
def run(pytester: pytest.Pytester):
    """Run a suite without Django."""
    return lambda suite, *options: pytester.runpytest_inprocess(
        "-p", "tests.plugin_services", "-p", "no:django", "-p", "no:cacheprovider", pytester.makepyfile(suite), *options
    )


def test_a_skip_passes_and_says_why(run):
    result = run(SUITE, "-rs")
    result.assert_outcomes(passed=1, skipped=1, xfailed=1)
    result.stdout.fnmatch_lines(["SKIPPED*no luck"])
    assert result.ret == pytest.ExitCode.OK


def test_a_skip_fails_under_no_skips_and_an_expected_failure_does_not(run):
    result = run(SUITE, "--no-skips")
    result.assert_outcomes(passed=1, xfailed=1, errors=1)
    result.stdout.fnmatch_lines(["skipped under --no-skips: *no luck"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_file_that_skips_as_a_whole_fails_under_no_skips(run):
    result = run("import pytest; pytest.importorskip('no_such_module')", "--no-skips")
    result.assert_outcomes(errors=1)
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_what_touches_no_database_is_left_out_where_only_the_database_is_asked_for(run):
    suite = """
import pytest

@pytest.fixture
def db(): pass

@pytest.fixture
def project(db): pass

def test_of_words(): pass

def test_of_rows(project): pass
"""
    run(suite).assert_outcomes(passed=2)
    run(suite, "--only-database").assert_outcomes(passed=1, deselected=1)
