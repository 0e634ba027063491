"""A small gateway that fails on a body that is not JSON, as an ASGI and as a WSGI application.

Like a web framework, the application responds with 500 and raises the exception again. The server then closes the
connection, although the response has no header `connection: close`.
"""

import json

KEY = "sk-servers-valid-0123456789"
MODEL = "model-1"
SUCCESS = {
    "id": "c1",
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "ok"}}],
}


def error(status, kind):
    body = {"error": {"message": f"messages: {kind}", "type": kind, "code": status, "details": None}}
    return status, json.dumps(body).encode()


def respond(method, path, authorization, body):
    """The status and body of a response."""
    if authorization is None:
        return error(401, "missing_auth_credential")
    if authorization != f"Bearer {KEY}":
        return error(401, "invalid_bearer_token")
    if (method, path) == ("GET", "/v1/models"):
        return 200, json.dumps({"data": [{"id": MODEL}]}).encode()
    if (method, path) != ("POST", "/v1/chat/completions"):
        return error(404, "not_found")
    try:
        request = json.loads(body)
    except ValueError:
        return error(500, "internal_error")
    if request["model"] != MODEL:
        return error(400, "model_not_available")
    if not all(isinstance(message["content"], str) for message in request["messages"]):
        return error(400, "invalid_request_error")
    return 200, json.dumps(SUCCESS).encode()


async def asgi(scope, receive, send):
    if scope["type"] != "http":
        return
    body = b""
    more = True
    while more:
        event = await receive()
        body += event.get("body", b"")
        more = event.get("more_body", False)
    headers = dict(scope["headers"])
    authorization = headers.get(b"authorization")
    status, content = respond(
        scope["method"], scope["path"], authorization and authorization.decode("latin-1"), body
    )
    length = str(len(content)).encode()
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(b"content-type", b"application/json"), (b"content-length", length)],
        }
    )
    await send({"type": "http.response.body", "body": content})
    if status == 500:
        raise RuntimeError("The body is not JSON.")


def wsgi(environ, start_response):
    body = environ["wsgi.input"].read()
    status, content = respond(
        environ["REQUEST_METHOD"], environ["PATH_INFO"], environ.get("HTTP_AUTHORIZATION"), body
    )
    headers = [("content-type", "application/json"), ("content-length", str(len(content)))]
    start_response(f"{status} Status", headers)
    yield content
    if status == 500:
        raise RuntimeError("The body is not JSON.")
