"""Tables for notebooks."""
import html
from typing import Any, Iterable, Tuple


def _text(value: Any) -> str:
    if isinstance(value, tuple) and hasattr(value, "_fields"):  # fumata.Spent
        return ", ".join(f"{name} {part:g}" for name, part in zip(value._fields, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def table(title: str, rows: "Iterable[Tuple[str, Any]]") -> str:
    """Two columns under a title."""
    lines = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                    f"<td style='text-align:left'>{html.escape(_text(value))}</td></tr>" for name, value in rows)
    return f"<table><caption>{html.escape(title)}</caption>{lines}</table>"


class Report(dict):  # type: ignore[type-arg]
    """The results and the cost of a fit, as `fumata learn` writes them in summary.json."""

    def _repr_html_(self) -> str:
        return table("Released", self.items())


class Advice(str):
    """What a budget would buy; it costs nothing."""

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"
