"""Options of the test runs, tried on small suites."""

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


def test_simulations_at_length_run_where_they_are_asked_for(run):
    suite = """
import pytest

@pytest.mark.parametrize("rounds", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_of_coverage(rounds): pass
"""
    run(suite).assert_outcomes(passed=1, deselected=1)
    run(suite, "--slow").assert_outcomes(passed=2)


@pytest.mark.parametrize(("layer", "passed"), [("views", 2), ("actions", 3), ("selectors", 3)])
def test_another_database_runs_what_writes_queries_what_is_marked_and_the_stories(run, pytester, layer, passed):
    suite = """
import pytest

@pytest.fixture
def db(): pass

@pytest.fixture
def house(): pass

@pytest.fixture
def project(db): pass

def test_of_words(): pass

def test_of_rows(project): pass

def test_of_the_product(house): pass

@pytest.mark.every_database
def test_of_every_page(project): pass
"""
    run(suite).assert_outcomes(passed=4)
    there = pytester.mkdir(layer) / "test_of_it.py"
    there.write_text(suite)
    ran = pytester.runpytest_inprocess(
        "-p", "tests.plugin_services", "-p", "no:django", "-p", "no:cacheprovider", "--on-another-database", there
    )
    ran.assert_outcomes(passed=passed, deselected=4 - passed)
