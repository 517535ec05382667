"""The exceptions of andor: a class for each family of errors, each with the ``variant`` that the library calls it.

>>> import andor
>>> try:
...     andor.prove("theorem t : 1 =", system="mini")
... except andor.DatasetError as error:
...     print(error.variant)
Statement
"""

from __future__ import annotations

__all__ = [
    "AndorError",
    "CheckError",
    "ConfigError",
    "DatasetError",
    "EnvError",
    "FileError",
    "Interrupted",
    "LoopError",
    "ProviderError",
    "RegistryError",
    "RunError",
    "SessionError",
    "TacticError",
]


class AndorError(Exception):
    """What can go wrong. That a theorem is not proved is a result, not an error."""

    #: The name of the error in the library, such as ``TheoremRefused``.
    variant: str

    def __init__(self, message: str, variant: str = "") -> None:
        super().__init__(message)
        self.variant = variant

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.variant)


class ConfigError(AndorError):
    """Options violate a rule, or a configuration file is malformed."""


class DatasetError(AndorError):
    """A file of theorems, or a statement, cannot be read."""


class RegistryError(AndorError):
    """Something that the options name is unavailable."""


class EnvError(AndorError):
    """The proof assistant rejects the theorem, fails, or is not installed."""


class ProviderError(AndorError):
    """A provider cannot be used."""


class CheckError(AndorError):
    """A file cannot be judged. That it is rejected is a verdict, not an error."""


class RunError(AndorError):
    """A run cannot be made, or its folder cannot be read."""


class LoopError(AndorError):
    """A learning loop is badly declared, or cannot go on."""


class FileError(AndorError):
    """A file cannot be written or read."""


class SessionError(AndorError):
    """A session cannot do what it is asked to do now."""


class TacticError(AndorError):
    """A tactic fails; the message is the proof assistant's."""


class Interrupted(AndorError):
    """The work was cancelled before its end."""
