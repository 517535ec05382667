"""What the documentation tells people to write in Python, carried out page by page."""

import http.server
import json
import re
import shutil
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SERVER = "http://localhost:8000/v1"


class Model(http.server.BaseHTTPRequestHandler):
    """A language model that proposes the same tactics everywhere."""

    def do_GET(self):
        self._answer({"object": "list", "data": [{"id": "m", "object": "model"}]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = ["exact ⟨h.2, h.1⟩", "constructor", "assumption"]
        choices = [
            {"index": at, "text": texts[at % len(texts)], "finish_reason": "stop"} for at in range(request.get("n") or 1)
        ]
        usage = {"prompt_tokens": 10, "completion_tokens": 5}
        self._answer({"id": "1", "object": "text_completion", "model": "m", "choices": choices, "usage": usage})

    def _answer(self, body):
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def blocks(page, language):
    text = (ROOT / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the examples, and the files that the pages take for their readers' own."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copytree(ROOT / "crates/cli/tests/documentation", tmp_path, dirs_exist_ok=True)
    (tmp_path / "small.toml").write_text(blocks("docs/guide/learning.md", "toml small.toml")[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(page, server):
    names = {"__name__": "documentation"}
    code = "\n".join(blocks(page, "python")).replace(SERVER, server)
    assert code
    exec(compile(code, page, "exec"), names)
    return names


def test_the_page_about_python(folder, server):
    names = follow("docs/guide/python.md", server)
    assert names["result"].outcome == "accepted"


def test_the_page_about_ray(folder, server, nodes):
    assert len(follow("docs/guide/ray.md", server)["run"].wait()) == 3
