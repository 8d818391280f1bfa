"""Tables in LaTeX."""

import re

import pytest

from core.exporters.latex import LatexTable, escaped, written


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("R&D 50 % of_this #1 $5", r"R\&D 50 \% of\_this \#1 \$5"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("a~b^c <d> |e|", r"a\textasciitilde{}b\textasciicircum{}c \textless{}d\textgreater{} \textbar{}e\textbar{}"),
        ("[CLS] two\nlines", "{[}CLS] two lines"),
        ("*best", "{*}best"),
        ("−.031 – .062, ≤ 2", "$-$.031 -- .062, $\\leq$ 2"),
        ("ρ ≈ λ, α → Ω", r"$\rho$ $\approx$ $\lambda$, $\alpha$ $\rightarrow$ $\Omega$"),
    ],
)
def test_no_text_is_a_command(text, printed):
    assert escaped(text) == printed


def table(**changed) -> str:
    parts = {
        "label": "models on x:dev",
        "caption": "Of 10 % of all.\nTwo.",
        "columns": ["Model", "R@1", "R@2"],
        "groups": [("Chance", [["Random", ".250", ".500"]]), ("Empty", []), ("", [["A_B", ".3", ""]])],
    }
    return written(LatexTable(**parts | changed)).decode()


def test_a_table_has_the_rules_of_booktabs_and_a_row_for_each():
    assert table() == "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            r"\begin{tabular}{lrr}",
            r"\toprule",
            r"Model & R@1 & R@2 \\",
            r"\midrule",
            r"\multicolumn{3}{l}{Chance} \\",
            r"Random & .250 & .500 \\",
            r"\midrule",
            r"A\_B & .3 &  \\",
            r"\bottomrule",
            r"\end{tabular}",
            r"\caption{Of 10 \% of all. Two.}",
            r"\label{tab:models-on-x-dev}",
            r"\end{table}",
            "",
        ]
    )


def test_titles_over_several_columns_have_a_rule_below_where_they_say_something():
    lines = table(above=[("", 1), ("run here", 2)]).split("\n")
    at = lines.index(r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{run here} \\")
    assert lines[at + 1 : at + 3] == [r"\cmidrule(lr){2-3}", r"Model & R@1 & R@2 \\"]


def test_every_row_fills_its_columns_and_braces_are_paired():
    text = table(groups=[("{", [["}{ & \\", "%", "a"], ["b", "c", "d"]])])
    bare = re.sub(r"\\[\\&%$#_{}]", lambda found: "" if found[0] != r"\\" else r"\\", text)
    assert bare.count("{") == bare.count("}")
    body = bare[bare.index(r"\toprule") : bare.index(r"\bottomrule")]
    assert {line.count("&") for line in body.split("\n") if line.endswith(r"\\") and "multicolumn" not in line} == {2}


def test_chinese_names_the_package_and_the_engine_that_it_needs():
    assert table(caption="模型").startswith("% \\usepackage{booktabs, ctex} % XeLaTeX or LuaLaTeX\n")
    assert table(caption="Of “κ” – ‘Zoë’…").startswith("% \\usepackage{booktabs}\n"), "any engine prints these"


def test_long_names_are_broken_into_lines():
    assert r"\begin{tabular}{lrr}" in table()
    text = table(groups=[("", [["Crowd (135 people; Lowe et al. 2016)", ".5", ".6"], ["A", ".1", ".2"]])])
    assert r"\begin{tabular}{p{.3\linewidth}rr}" in text and "\n\\raggedright A & .1 & .2 \\\\\n" in text


@pytest.mark.parametrize(
    ("columns", "cell", "environment", "commands"),
    [
        (4, ".250", "table", ""),
        (5, ".250 (.21", "table", r"\small\setlength{\tabcolsep}{4pt}"),
        (5, ".250 (.211–.292)", "table*", ""),
        (7, ".250 (.211–.29)", "table*", r"\small\setlength{\tabcolsep}{4pt}"),
        (9, ".250 (.211–.292)", "table*", r"\footnotesize\setlength{\tabcolsep}{3pt}"),
        (3, "所有人回答全部题目的正确率", "table*", ""),
    ],
)
def test_a_table_wider_than_a_column_of_a_paper_spans_both_in_letters_that_fit(columns, cell, environment, commands):
    lines = table(columns=["Model"] * columns, groups=[("", [["BM25", *[cell] * (columns - 1)]])]).split("\n")
    assert lines[1:3] == [rf"\begin{{{environment}}}", rf"\centering{commands}"]
    assert lines[-2] == rf"\end{{{environment}}}"
