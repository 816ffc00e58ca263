"""Summary of reports: one table of all ratios, and a plot of how many times as long each rival takes.

`python -m benchmarks summary [REPORT_OR_FOLDER ...] [--out FOLDER]`. Of each benchmark its newest report counts.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.harness import HERE, NoPlaceError, Row, figure, place_to_write
from benchmarks.reports import Measured, NoReportError, newest, reports_in

REPORTS = HERE.parent / "out" / "benchmarks"
OVER = " over firesim"
"""Rows whose `what` ends so are bars of the plot."""

FILES = ("summary.md", "peers.svg")

BAR, INK, LINE = "#4575b4", "#1f1f24", "#d7191c"


def main(arguments: list[str]) -> int:
    """Read reports, print and write the table, draw the plot; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks summary", description="One table and one plot.")
    parser.add_argument("reports", nargs="*", type=Path, default=[REPORTS], help="reports (JSON), or folders of them")
    parser.add_argument("--out", type=Path, default=HERE, help="folder of summary.md and peers.svg")
    chosen = parser.parse_args(arguments)
    try:
        measured = newest(reports_in(chosen.reports))
        place_to_write(chosen.out, FILES)
    except (NoReportError, NoPlaceError) as error:
        print(error, file=sys.stderr)
        return 2
    text = table(measured)
    print(text)
    written = [chosen.out / FILES[0]]
    written[0].write_text(text + "\n", encoding="utf-8")
    if bars := rivals(measured):
        written.append(chosen.out / FILES[1])
        draw(bars, written[1])
    else:
        print("no plot: no report has a rival in it (python -m benchmarks town peers big)")
    for path in written:
        print(f"written: {path}")
    return 0


def table(measured: list[Measured]) -> str:
    """All ratios as a Markdown table, and below it when and on what they were measured."""
    lines = ["| Benchmark | Ratio | Median | Range |", "|---|---|---:|---|"]
    for each in measured:
        for row in each.rows:
            if row.unit == "times":
                span = "" if row.low is None or row.high is None else f"{figure(row.low)} to {figure(row.high)}"
                lines.append(f"| {each.group} {each.benchmark} | {row.what} | {figure(row.value)} | {span} |")
    return "\n".join([*lines, "", *circumstances(measured)])


def circumstances(measured: list[Measured]) -> list[str]:
    """A line for each report: its benchmarks, date, machine, versions, load, fires and rounds."""
    of_report: dict[int, list[Measured]] = {}
    for each in measured:
        of_report.setdefault(id(each.report), []).append(each)
    lines = []
    for parts in of_report.values():
        report = parts[0].report
        names = ", ".join(f"{each.group} {each.benchmark}" for each in parts)
        flat = report | report.get("settings", {})
        told = ", ".join(f"{name} {value}" for name, value in flat.items() if name not in ("rows", "group", "settings"))
        lines.append(f"- {names}: {told}")
    return lines


def rivals(measured: list[Measured]) -> list[tuple[str, Row]]:
    """The rows in which somebody else is measured against firesim, each with the name of its bar."""
    return [
        (bar_name(each, row), row)
        for each in measured
        for row in each.rows
        if row.unit == "times" and row.what.endswith(OVER)
    ]


def bar_name(measured: Measured, row: Row) -> str:
    """The rival, and after a dot what it was measured on."""
    return f"{row.what.removesuffix(OVER)} · {measured.group} {measured.benchmark}"


def scene_of(name: str) -> tuple[str, str]:
    """What a bar was measured on: the benchmark, and the scene where there are several."""
    rival, _, benchmark = name.rpartition(" · ")
    return benchmark, rival.rpartition(": ")[0]


def draw(bars: list[tuple[str, Row]], file: Path) -> None:
    """Horizontal bars on a logarithmic axis, from 1 (as long as firesim) on, with the range of the rounds."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    bars = sorted(bars, key=lambda bar: (scene_of(bar[0]), -bar[1].value), reverse=True)
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "firesim", "text.color": INK}):
        figure_, axes = pyplot.subplots(figsize=(8, 0.8 + 0.3 * len(bars)), layout="constrained")
        for place, (_, row) in enumerate(bars):
            axes.barh(place, row.value - 1, left=1, height=0.7, color=BAR)
            if row.low is not None and row.high is not None:
                axes.plot([row.low, row.high], [place, place], color=INK, linewidth=1.5)
            axes.annotate(
                figure(row.value), (max(row.value, row.high or 0, 1), place), (4, 0),
                textcoords="offset points", va="center", fontsize=9,
            )  # fmt: skip
        axes.set_yticks(range(len(bars)), [name for name, _ in bars], fontsize=9)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_xlim(min(0.5, *(0.8 * (row.low or row.value) for _, row in bars)), None)
        axes.margins(x=0.15)
        axes.axvline(1, color=LINE, linewidth=1)
        axes.set_xlabel("times as long as firesim takes (red line: as long)")
        for side in ("top", "right", "left"):
            axes.spines[side].set_visible(False)
        axes.tick_params(axis="y", length=0)
        figure_.savefig(file, metadata={"Date": None})
        pyplot.close(figure_)
