"""Downloads without huggingface_hub, from a hub on this machine."""

import hashlib
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
from unittest import mock

from steno.faster_whisper import download_model

FILES = {"config.json": b"{}", "model.bin": b"weights" * 1000, "vocabulary.json": b"[]", "README.md": b"not needed"}
COMMIT = "c0ffee"


class Hub(http.server.BaseHTTPRequestHandler):
    damaged = False

    def do_GET(self):
        if self.path.startswith("/api/models/Systran/faster-whisper-tiny/revision/main"):
            files = [
                {"rfilename": name, "size": len(data), "lfs": {"sha256": hashlib.sha256(data).hexdigest()}}
                for name, data in FILES.items()
            ]
            return self.answer(json.dumps({"sha": COMMIT, "siblings": files}).encode())
        prefix = f"/Systran/faster-whisper-tiny/resolve/{COMMIT}/"
        if self.path.startswith(prefix):
            data = FILES[self.path[len(prefix) :]]
            return self.answer(data[::-1] if self.damaged else data)
        return self.send_error(404)

    def answer(self, data):
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


class Downloads(unittest.TestCase):
    def setUp(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        Hub.damaged = False
        for patch in (
            mock.patch.dict(sys.modules, {"huggingface_hub": None}),
            mock.patch.dict(os.environ, {"HF_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "HF_HUB_OFFLINE": ""}),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_folder_gets_the_files_that_are_needed(self):
        folder = download_model("tiny", output_dir=str(self.folder / "model"))
        self.assertEqual(folder, str(self.folder / "model"))
        self.assertEqual(sorted(os.listdir(folder)), ["config.json", "model.bin", "vocabulary.json"])

    def test_the_cache_is_found_again(self):
        folder = download_model("tiny", cache_dir=str(self.folder))
        self.assertEqual(folder, download_model("tiny", cache_dir=str(self.folder), local_files_only=True))

    def test_a_damaged_file_is_not_kept(self):
        Hub.damaged = True
        with self.assertRaisesRegex(ConnectionError, "damaged"):
            download_model("tiny", output_dir=str(self.folder))
        self.assertEqual(os.listdir(self.folder), [])

    def test_unknown_names(self):
        with self.assertRaisesRegex(ValueError, "expected one of: tiny.en, tiny"):
            download_model("huge")
        with self.assertRaisesRegex(ConnectionError, "cannot be downloaded"):
            download_model("nobody/nothing", output_dir=str(self.folder))
        with self.assertRaisesRegex(FileNotFoundError, "not downloaded before"):
            download_model("tiny", cache_dir=str(self.folder), local_files_only=True)


if __name__ == "__main__":
    unittest.main()
