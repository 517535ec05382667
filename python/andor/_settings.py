"""From keyword arguments to a configuration."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _andor, parts

#: A configuration file, or its tables and keys.
Config = Union[str, "os.PathLike[str]", Mapping[str, Any], None]

_NAMES = [name for name, *_ in _andor.options()]


def settings(options: Mapping[str, Any], config: Config = None) -> _andor.Settings:
    """The valid configuration of a file, overridden by options."""
    options = dict(options)
    roles = parts.taken(options)
    return assembled(options, config, roles)


def assembled(options: Mapping[str, Any], config: Config, roles: Sequence[parts.Role]) -> _andor.Settings:
    """The same, with the parts taken out of the options."""
    options, own = dict(options), parts.made(roles)
    for name in options:
        if name not in _NAMES:
            near = difflib.get_close_matches(name, _NAMES, 1)
            hint = f"; did you mean `{near[0]}`?" if near else "; docs/reference/options.md lists them"
            raise TypeError(f"there is no option `{name}`{hint}")
    if isinstance(config, Mapping):
        return _andor.Settings(options, text=json.dumps(config), parts=own)
    return _andor.Settings(options, file=None if config is None else os.fspath(config), parts=own)


def counted(**numbers: int) -> None:
    """Checks numbers of attempts."""
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"{name}={number!r}: give a whole number")
        if not 1 <= number <= 1_000_000:
            raise ValueError(f"{name}={number}: give a number from 1 to 1000000")


def listed(name: str, texts: Iterable[str]) -> list[str]:
    """The texts of a list. A single text is none: its letters would be taken for the texts."""
    if isinstance(texts, (str, bytes)):
        raise TypeError(f"{name}={texts!r}: give a list of texts")
    return list(texts)
