package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Follows a link in the owner's browser, and returns the redirect.
func allow(link string) *url.URL {
	reply := must(http.Post(os.Getenv("OWNER")+"/allow", "text/plain", strings.NewReader(link)))
	return must(url.Parse(string(must(io.ReadAll(reply.Body)))))
}

func main() {
	ctx, service, approvals := context.Background(), os.Args[1], os.Args[1]+"/api/approvals"
	app := oauth2.Config{ClientID: os.Args[2], ClientSecret: os.Args[4], RedirectURL: "http://localhost:3030/callback",
		Scopes:   []string{"approvals:read", "approvals:write"},
		Endpoint: oauth2.Endpoint{AuthURL: service + "/oauth/authorize", TokenURL: service + "/oauth/token"}}
	verifier := oauth2.GenerateVerifier()
	back := allow(app.AuthCodeURL("a state", oauth2.S256ChallengeOption(verifier)))
	token := must(app.Exchange(ctx, back.Query().Get("code"), oauth2.VerifierOption(verifier)))
	fmt.Println("granted", must(app.Client(ctx, token).Get(approvals)).StatusCode)
	token.Expiry = time.Now().Add(-time.Minute)
	token = must(app.TokenSource(ctx, token).Token())
	fmt.Println("refreshed", must(app.Client(ctx, token).Get(approvals)).StatusCode)
	form := url.Values{"token": {token.RefreshToken}, "client_id": {app.ClientID}, "client_secret": {app.ClientSecret}}
	must(http.PostForm(service+"/oauth/revoke", form))
	fmt.Println("revoked", must(app.Client(ctx, token).Get(approvals)).StatusCode)
}
