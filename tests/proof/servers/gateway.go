// A small gateway that closes the connection right after a 500, without the header `Connection: close`.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

const key = "sk-servers-valid-0123456789"

func respond(request *http.Request) (int, string) {
	failure := func(status int, kind string) (int, string) {
		form := `{"error":{"message":"messages: %s","type":"%s","code":%d,"details":null}}`
		return status, fmt.Sprintf(form, kind, kind, status)
	}
	authorization := request.Header.Get("authorization")
	if authorization == "" {
		return failure(401, "missing_auth_credential")
	}
	if authorization != "Bearer "+key {
		return failure(401, "invalid_bearer_token")
	}
	if request.URL.Path == "/v1/models" {
		return 200, `{"data":[{"id":"model-1"}]}`
	}
	if request.URL.Path != "/v1/chat/completions" {
		return failure(404, "not_found")
	}
	var body struct {
		Model    string
		Messages []struct{ Content string }
	}
	bytes, _ := io.ReadAll(request.Body)
	if !json.Valid(bytes) {
		return failure(500, "internal_error")
	}
	if json.Unmarshal(bytes, &body) != nil {
		return failure(400, "invalid_request_error")
	}
	if body.Model != "model-1" {
		return failure(400, "model_not_available")
	}
	return 200, `{"choices":[{"index":0,"message":{"role":"assistant","content":"ok"}}]}`
}

func handle(writer http.ResponseWriter, request *http.Request) {
	status, body := respond(request)
	if status == 500 {
		connection, _, err := writer.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		head := "HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
		fmt.Fprintf(connection, head, len(body), body)
		connection.Close()
		return
	}
	writer.Header().Set("content-type", "application/json")
	writer.WriteHeader(status)
	io.WriteString(writer, body)
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	http.Serve(listener, http.HandlerFunc(handle))
}
