package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sort"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type bearer string

func (token bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+string(token))
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: os.Args[1], HTTPClient: &http.Client{Transport: bearer(os.Args[2])}}
	session := must(client.Connect(ctx, transport, nil))
	defer session.Close()
	var names []string
	for _, tool := range must(session.ListTools(ctx, nil)).Tools {
		names = append(names, tool.Name)
	}
	sort.Strings(names)
	fmt.Print("tools")
	for _, name := range names {
		fmt.Print(" ", name)
	}
	arguments := map[string]any{"question": "Ship build 418?", "options": []string{"Ship now", "Wait"}}
	answer := must(session.CallTool(ctx, &mcp.CallToolParams{Name: "ask_owner", Arguments: arguments}))
	fmt.Println("\nheard", answer.Content[0].(*mcp.TextContent).Text)
}
