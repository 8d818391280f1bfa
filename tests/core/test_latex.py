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
        ("−.031 – .062, ≤ 2", "$-$.031 -- .062, $\\leq$ 2"),
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


def test_chinese_names_the_package_that_it_needs():
    assert table(caption="模型").startswith("% \\usepackage{booktabs, ctex}\n")
