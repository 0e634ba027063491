"""Responds to each request with its path and key, and lists the requests."""

import http.client
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# By default, http.client refuses more than 100 headers.
http.client._MAXHEADERS = 10_000

seen = []


def take_seen():
    body = json.dumps(seen).encode()
    seen.clear()
    return body


def add_seen(method, path):
    entry = {"method": method, "path": path, "bytes": 0}
    seen.append(entry)
    return entry


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def body_length(self):
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            length = int(self.headers.get("content-length", "0"))
            return len(self.rfile.read(length))
        total = 0
        while True:
            size = int(self.rfile.readline().split(b";")[0] or b"0", 16)
            total += len(self.rfile.read(size))
            if size > 0:
                self.rfile.readline()
                continue
            while self.rfile.readline().strip():
                pass
            return total

    def respond(self):
        if self.path == "/__seen":
            content = take_seen()
        else:
            entry = add_seen(self.command, self.path)
            if self.path != "/early":
                entry["bytes"] = self.body_length()
            content = json.dumps({"path": self.path, "key": self.headers.get("x-api-key", "")}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = do_OPTIONS = do_TRACE = do_CONNECT = respond

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
