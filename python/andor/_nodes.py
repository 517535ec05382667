"""What runs on the nodes of a Ray cluster: workers and model servers."""

from __future__ import annotations

import asyncio
import ctypes
import http.client
import json
import os
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit, urlunsplit

import ray

from . import _andor, parts
from ._call import Call
from ._recovery import Failed


class Process:
    """What runs on a node. It begins with nothing, so that it says where it is before anything can go wrong."""

    async def where(self) -> str:
        return ray.get_runtime_context().get_node_id()


class Prover(Process):
    """Makes attempts, one at a time, with provers that stay warm."""

    async def ready(
        self, beginning: str, roles: Sequence[parts.Role], variables: Mapping[str, str], addresses: dict[str, str]
    ) -> tuple[str, str]:
        """Prepares, and waits until it can begin. Says its name, and what it found of the proof assistants."""
        os.environ.update(variables)
        folder = json.loads(beginning)["folder"]
        if os.path.isdir(folder):
            os.chdir(folder)
        self._worker = _andor.Worker(beginning, parts.made(roles))
        self._calls: dict[int, Call[tuple[str, str]]] = {}
        self._files = parts.Folder()
        found = await Call(self._worker.ready(addresses), str)
        return f"{socket.gethostname()} (process {os.getpid()})", found

    async def attempt(
        self, number: int, attempt: str, shared: str, keeps_files: bool, addresses: dict[str, str]
    ) -> tuple[str, str, dict[str, bytes]]:
        """Makes an attempt. Returns its result, what it adds to what is shared, and its files, by their paths."""
        folder = os.path.join(self._files.name, str(number))
        kept = folder if keeps_files else None
        call: Call[tuple[str, str]] = Call(self._worker.attempt(attempt, shared, kept, addresses), tuple)
        self._calls[number] = call
        try:
            result, news = await call
            return result, news, _read(folder)
        finally:
            del self._calls[number]
            shutil.rmtree(folder, ignore_errors=True)

    async def cancel(self, number: int) -> None:
        if number in self._calls:
            self._calls[number].cancel()

    async def reaches(self, address: str) -> bool:
        """Whether there is a model server, whatever it answers."""
        return await asyncio.to_thread(_is_there, address)


def _is_there(address: str) -> bool:
    # By the proxies of the environment, as requests go.
    try:
        with urllib.request.urlopen(address.rstrip("/") + "/models", timeout=5):
            return True
    except urllib.error.HTTPError as error:
        # A gateway answers in place of what is behind it.
        return error.code not in (502, 503, 504)
    except urllib.error.URLError as error:
        return isinstance(error.reason, ssl.SSLError)
    except ConnectionError:
        return False
    except (OSError, http.client.HTTPException):
        # It is connected, and slow or odd.
        return True


def _read(folder: str) -> dict[str, bytes]:
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


class TacGen(Process):
    """A model server, started by a command. It ends with this process."""

    async def ready(self, command: str, address: str, folder: str) -> str:
        """Starts the server, waits until it answers, and returns its address."""
        host = ray.util.get_node_ip_address()
        with socket.socket() as probe:
            probe.bind((host, 0))
            port = probe.getsockname()[1]
        words = [word.replace("{port}", str(port)).replace("{host}", host) for word in shlex.split(command)]
        url = urlsplit(address)
        self._address = urlunsplit((url.scheme, f"{host}:{port}", *url[2:]))
        self._errors = tempfile.TemporaryFile()
        self._server = subprocess.Popen(
            words,
            cwd=folder if os.path.isdir(folder) else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            preexec_fn=_die_with_parent,
        )
        while self._server.poll() is None:
            if await asyncio.to_thread(self._answers):
                return self._address
            await asyncio.sleep(0.1)
        raise Failed(await self.ended())

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self._address.rstrip("/") + "/models", timeout=5):
                return True
        except urllib.error.HTTPError as error:
            # Whoever asks for a key is there.
            return error.code in (401, 403)
        except OSError:
            return False

    async def ended(self) -> str:
        """Waits for the end of the server, and says how it ended."""
        status = await asyncio.to_thread(self._server.wait)
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 1000))
        said = self._errors.read().decode(errors="replace").strip()
        return f"it ended with status {status}" + (f": {said}" if said else "")


def _die_with_parent() -> None:
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
