"""A front of a gateway on `http.server`, which checks the credential before it reads the body.

The front leaves the body of a request with a bad credential unread and keeps the connection. The next request on the
connection then begins in the old body. With `--close`, the front closes the connection instead, as it should.
"""

import http.client
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

UPSTREAM = sys.argv[1]
CLOSES = "--close" in sys.argv


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        length = int(self.headers.get("content-length") or 0)
        response, content = self.forward(b"")
        if response.status != 401:
            body = self.rfile.read(length)
            if length > 0:
                response, content = self.forward(body)
        elif CLOSES and length > 0:
            self.close_connection = True
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() in ("content-type", "x-trace-id", "retry-after"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        if self.close_connection:
            self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_PATCH = do_HEAD = do_OPTIONS = do_DELETE = handle_request

    def forward(self, body):
        upstream = http.client.HTTPConnection(UPSTREAM)
        upstream.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in ("content-length", "connection", "transfer-encoding"):
                upstream.putheader(name, value.encode("latin-1"))
        upstream.putheader("content-length", str(len(body)))
        upstream.endheaders(body)
        response = upstream.getresponse()
        content = response.read()
        upstream.close()
        return response, content

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
server.serve_forever()
