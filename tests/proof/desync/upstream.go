// Responds to each request with its path and key, and lists the requests.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

type seen struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Bytes  int    `json:"bytes"`
}

var lock sync.Mutex
var list = []seen{}

func handle(writer http.ResponseWriter, request *http.Request) {
	writer.Header().Set("content-type", "application/json")
	lock.Lock()
	if request.URL.Path == "/__seen" {
		json.NewEncoder(writer).Encode(list)
		list = []seen{}
		lock.Unlock()
		return
	}
	entry := seen{request.Method, request.URL.Path, 0}
	list = append(list, entry)
	index := len(list) - 1
	lock.Unlock()
	// By default, the server reads the body before it responds.
	controller := http.NewResponseController(writer)
	if entry.Path == "/early" {
		controller.EnableFullDuplex()
	} else {
		body, _ := io.ReadAll(request.Body)
		entry.Bytes = len(body)
		lock.Lock()
		if index < len(list) {
			list[index] = entry
		}
		lock.Unlock()
	}
	json.NewEncoder(writer).Encode(map[string]any{"path": entry.Path, "key": request.Header.Get("x-api-key")})
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
