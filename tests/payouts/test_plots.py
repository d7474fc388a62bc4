"""Pictures are SVG, say what they show, and are the same for the same sheet."""

from xml.etree import ElementTree

from payouts.par.document import Funnel, ScoreLaw
from payouts.plots import hold_funnel, score_law

FUNNEL = Funnel(
    "strip, pass", 7 / 495, (100, 1000, 10_000), (0.005, 0.05, 0.5, 0.95, 0.995),
    ((-0.3, -0.2, 0.02, 0.2, 0.3), (-0.1, -0.05, 0.015, 0.07, 0.1), (0.0, 0.01, 0.014, 0.02, 0.03)),
)  # fmt: skip
LAW = ScoreLaw((("optimal", (0.2, 0.5, 0.3)), ("blind", (0.6, 0.3, 0.1))), ((1, 1, "1.00 USD"), (2, 9, "3.00 USD")))


def texts(svg: str) -> set[str]:
    return {(each.text or "").strip() for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}


def test_the_funnel_names_its_bands_its_edge_and_its_axes() -> None:
    said = texts(hold_funnel(FUNNEL))
    assert {"99% of seasons", "90% of seasons", "median", "house edge 1.41%", "games", "strip, pass"} <= said


def test_the_law_names_its_players_and_what_the_bands_pay() -> None:
    said = texts(score_law(LAW))
    assert {"optimal", "blind", "1.00 USD", "3.00 USD", "final score"} <= said


def test_a_law_that_never_reaches_a_band_leaves_it_out() -> None:
    low = ScoreLaw((("optimal", (0.5, 0.5)),), ((50, 60, "9.00 USD"),))
    assert "9.00 USD" not in texts(score_law(low))


def test_the_same_data_gives_the_same_bytes() -> None:
    assert hold_funnel(FUNNEL) == hold_funnel(FUNNEL)
    assert score_law(LAW) == score_law(LAW)
