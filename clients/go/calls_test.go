package countersign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// service is a fake that returns the given responses in order, and records the requests.
type service struct {
	replies []reply
	sent    []*http.Request
	bodies  []string
}

type reply struct {
	status  int
	body    string
	headers map[string]string
	failure error
}

func (s *service) RoundTrip(request *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(request.Body)
	s.sent, s.bodies = append(s.sent, request), append(s.bodies, string(body))
	if len(s.replies) == 0 {
		return nil, fmt.Errorf("nothing is left to say to %s", request.URL)
	}
	next := s.replies[0]
	s.replies = s.replies[1:]
	if next.failure != nil {
		return nil, next.failure
	}
	headers := http.Header{}
	for name, value := range next.headers {
		headers.Set(name, value)
	}
	return &http.Response{StatusCode: next.status, Header: headers, Body: io.NopCloser(strings.NewReader(next.body)), Request: request}, nil
}

func (s *service) client(t *testing.T, config Config) *Client {
	t.Helper()
	config.BaseURL = "https://yes.example.com/"
	if config.TokenSource == nil {
		config.Token = "secret"
	}
	config.HTTPClient = &http.Client{Transport: s}
	client, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func replying(replies ...reply) *service { return &service{replies: replies} }

var (
	ctx     = context.Background()
	options = []Option{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No"}}
	soon    = map[string]string{"retry-after": "0"}
)

// approval is a response with an approval and these additional fields.
func approval(fields string) reply {
	body := `{"_id":"apr_1","_creationTime":1,"clientId":"app_1","question":"Ship?","contentHash":"sha256:0",
		"options":[{"id":"yes","label":"Yes"}],"newNextYear":{"a":1},` + fields + `}`
	return reply{status: 200, body: body, headers: soon}
}

var (
	pending  = approval(`"status":"pending"`)
	resolved = approval(`"status":"resolved","resolution":{"kind":"option","optionId":"yes","resolvedBy":"owner","resolvedAt":2}`)
)

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRetriesWithTheSameKeyUntilTheServiceResponds(t *testing.T) {
	away := reply{failure: errors.New("refused")}
	service := replying(away, reply{status: 503, headers: soon}, reply{status: 201, body: `{"id":"apr_1"}`})
	id, err := service.client(t, Config{}).Approvals.Create(ctx, ApprovalRequest{Question: "Ship?", Options: options[:1]})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, id, "apr_1")
	equal(t, len(service.sent), 3)
	key := service.sent[0].Header.Get("Idempotency-Key")
	equal(t, len(key), 32)
	for i, request := range service.sent {
		equal(t, request.Header.Get("Idempotency-Key"), key)
		equal(t, request.Header.Get("Authorization"), "Bearer secret")
		equal(t, service.bodies[i], `{"question":"Ship?","options":[{"id":"yes","label":"Yes"}]}`)
	}
	own := replying(reply{status: 201, body: `{"id":"apr_1"}`})
	_, _ = own.client(t, Config{}).Approvals.Create(ctx, ApprovalRequest{Key: "mine"})
	equal(t, own.sent[0].Header.Get("Idempotency-Key"), "mine")
	equal(t, strings.Contains(own.bodies[0], "mine"), false)
}

func TestSendsFactsAndAMatchNumber(t *testing.T) {
	facts := []Fact{{Label: "Amount", Value: "86.40 €"}}
	s := replying(reply{status: 201, body: `{"id":"apr_1"}`}, approval(`"facts":[{"label":"Amount","value":"86.40 €"}],"status":"pending"`))
	approvals := s.client(t, Config{}).Approvals
	asked := ApprovalRequest{Question: "Pay?", Options: options, Facts: facts, Risk: "high", Match: "47"}
	must(approvals.Create(ctx, asked))(t)
	for _, part := range []string{`"facts":[{"label":"Amount","value":"86.40 €"}]`, `"match":"47"`, `"risk":"high"`} {
		equal(t, strings.Contains(s.bodies[0], part), true)
	}
	read := must(approvals.Get(ctx, "apr_1"))(t)
	equal(t, len(read.Facts) == 1 && read.Facts[0] == facts[0], true)
}

func TestReportsARejectionWithoutRetries(t *testing.T) {
	body := `{"error":"Bad request","details":[{"path":"options","message":"Required"},{"path":"","message":"Too much"}]}`
	service := replying(reply{status: 400, body: body, headers: map[string]string{"x-request-id": "req_1"}})
	_, err := service.client(t, Config{}).Approvals.Create(ctx, ApprovalRequest{})
	var refused *Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	equal(t, err.Error(), "countersign: Bad request: options: Required; Too much")
	equal(t, refused.Status, 400)
	equal(t, refused.RequestID, "req_1")
	equal(t, refused.Details[0].Path, "options")
	equal(t, len(service.sent), 1)
}

func TestRejectsAnUnexpectedResponse(t *testing.T) {
	for message, it := range map[string]struct {
		reply  reply
		status int
	}{
		"HTTP status 302": {reply{status: 302, headers: map[string]string{"location": "https://evil.example"}}, 302},
		"unexpected form": {reply{status: 200, body: "<html>"}, 502},
		"Could not connect to the service at https://yes.example.com (slow)": {reply{failure: errors.New("slow")}, 0},
	} {
		service := replying(it.reply)
		_, err := service.client(t, Config{Patience: -1}).Approvals.Get(ctx, "apr_1")
		var failed *Error
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), message) {
			t.Fatalf("%v, want %s", err, message)
		}
		equal(t, failed.Status, it.status)
		equal(t, len(service.sent), 1)
	}
}

func TestReportsEachRetry(t *testing.T) {
	away := reply{failure: errors.New("refused")}
	service := replying(reply{status: 503, headers: soon}, away, reply{status: 201, body: `{"id":"apr_1"}`})
	var retries []Retry
	client := service.client(t, Config{OnRetry: func(it Retry) { retries = append(retries, it) }})
	_ = must(client.Approvals.Create(ctx, ApprovalRequest{}))(t)
	equal(t, len(retries), 2)
	equal(t, retries[0], Retry{Attempt: 1, Delay: 0, Reason: retries[0].Reason})
	equal(t, errors.Is(retries[0].Reason, ErrUnreachable), false)
	equal(t, retries[1].Attempt == 2 && errors.Is(retries[1].Reason, ErrUnreachable), true)
	for _, request := range service.sent {
		equal(t, request.Header.Get("Countersign-Version"), "1")
	}
}

func TestMatchesErrorsByTheirStatus(t *testing.T) {
	for status, sentinel := range map[int]error{
		400: ErrBadRequest, 401: ErrUnauthorized, 403: ErrForbidden, 404: ErrNotFound, 409: ErrConflict,
		410: ErrGone, 422: ErrKeyReused, 429: ErrRateLimited,
	} {
		service := replying(reply{status: status, body: `{"error":"No"}`})
		_, err := service.client(t, Config{Patience: -1}).Approvals.Get(ctx, "apr_1")
		equal(t, errors.Is(err, sentinel), true)
		equal(t, errors.Is(err, ErrUnreachable), false)
	}
}

func TestRejectsAMissingIDBeforeSending(t *testing.T) {
	service := replying()
	client := service.client(t, Config{})
	_, got := client.Approvals.Get(ctx, "")
	_, waited := client.Approvals.Wait(ctx, "")
	_, receipt := client.Approvals.Receipt(ctx, "")
	_, used := client.Approvals.Use(ctx, "", UseRequest{})
	_, notification := client.Notifications.Get(ctx, "")
	for _, err := range []error{
		got, waited, receipt, used, notification, client.Approvals.Add(ctx, "", "text"),
		client.Approvals.Report(ctx, "", OutcomeRequest{}), client.Approvals.Resolve(ctx, "", AnswerRequest{}),
	} {
		equal(t, err != nil && strings.HasSuffix(err.Error(), "ID is missing"), true)
	}
	equal(t, len(service.sent), 0)
}

func TestAcceptsASimulatedAnswerOnlyIfAllowed(t *testing.T) {
	played := approval(`"status":"resolved","resolution":{"kind":"option","optionId":"yes","resolvedBy":"owner","resolvedAt":2,"note":"Simulated: rule 1"}`)
	answered := func(config Config) bool {
		answer := must(replying(played).client(t, config).Approvals.Wait(ctx, "apr_1"))(t)
		equal(t, answer.Simulated && answer.Chosen == "yes" && answer.By == "owner", true)
		return answer.Yes("yes")
	}
	t.Setenv("COUNTERSIGN_ALLOW_SIMULATED", "")
	equal(t, answered(Config{}), false)
	equal(t, answered(Config{AllowSimulated: true}), true)
	t.Setenv("COUNTERSIGN_ALLOW_SIMULATED", "1")
	equal(t, answered(Config{}), true)
}

func TestAllowsAResponseItsFullTimeout(t *testing.T) {
	for _, it := range []struct {
		patience, limit time.Duration
		wait            bool
	}{
		{patience: -1, limit: 20 * time.Second},
		{patience: time.Hour, limit: 20 * time.Second},
		{patience: time.Nanosecond, limit: time.Second},
		{patience: -1, limit: 80 * time.Second, wait: true},
	} {
		service := replying(resolved)
		client := service.client(t, Config{Patience: it.patience})
		began := time.Now()
		var err error
		if it.wait {
			_, err = client.Approvals.Wait(ctx, "apr_1")
		} else {
			_, err = client.Approvals.Get(ctx, "apr_1")
		}
		equal(t, err, nil)
		until, _ := service.sent[0].Context().Deadline()
		equal(t, until.Before(began.Add(it.limit)), false)
		equal(t, until.After(time.Now().Add(it.limit)), false)
	}
}

func TestRenewsARejectedTokenOnce(t *testing.T) {
	unauthorized := reply{status: 401, body: `{"error":"Unauthorized"}`}
	var refused []string
	tokens := func(_ context.Context, old string) (string, error) {
		refused = append(refused, old)
		return fmt.Sprintf("token-%d", len(refused)), nil
	}
	service := replying(unauthorized, pending)
	if _, err := service.client(t, Config{TokenSource: tokens}).Approvals.Get(ctx, "apr_1"); err != nil {
		t.Fatal(err)
	}
	equal(t, strings.Join(refused, ","), ",token-1")
	equal(t, service.sent[1].Header.Get("Authorization"), "Bearer token-2")
	twice := replying(unauthorized, unauthorized)
	_, err := twice.client(t, Config{TokenSource: tokens}).Approvals.Get(ctx, "apr_1")
	var failed *Error
	equal(t, errors.As(err, &failed) && failed.Status == 401, true)
	equal(t, len(twice.sent), 2)
	broken := replying().client(t, Config{TokenSource: func(context.Context, string) (string, error) { return "secret\n", nil }})
	_, err = broken.Approvals.Get(ctx, "apr_1")
	equal(t, err.Error(), "countersign: the token has a line break or another control character")
}

func TestRepliesToAClarificationRequestOnce(t *testing.T) {
	question := `"status":"pending","questions":[{"text":"Which?","createdAt":5}]`
	service := replying(
		reply{status: 503, headers: soon},
		pending,
		approval(question),
		reply{status: 200, body: `{"ok":true,"createdAt":6}`},
		approval(question+`,"additions":[{"text":"Version 4","createdAt":6}]`),
		resolved,
	)
	var heard []string
	answer, err := service.client(t, Config{}).Approvals.Wait(ctx, "apr_1", OnQuestion(func(_ context.Context, asked, id string) (string, error) {
		heard = append(heard, id+" "+asked)
		return "Version 4", nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, answer.Yes("yes"), true)
	equal(t, strings.Join(heard, ","), "apr_1 Which?")
	equal(t, service.sent[3].URL.Path, "/api/approvals/apr_1/additions")
	equal(t, service.bodies[3], `{"text":"Version 4"}`)
	equal(t, service.sent[0].URL.RawQuery, "wait=60")
	equal(t, len(service.sent), 6)
}

func TestDoesNotRepeatAReplyAfterARestart(t *testing.T) {
	said := `"status":"pending","questions":[{"text":"Which?","createdAt":5}],"additions":[{"text":"Version 4","createdAt":6}]`
	heard := 0
	_, err := replying(approval(said), resolved).client(t, Config{}).Approvals.Wait(ctx, "apr_1",
		OnQuestion(func(context.Context, string, string) (string, error) { heard++; return "", nil }))
	equal(t, err, nil)
	equal(t, heard, 0)
	failing := errors.New("I do not know")
	_, err = replying(approval(`"status":"pending","questions":[{"text":"Which?","createdAt":5}]`)).client(t, Config{}).Approvals.Wait(ctx, "apr_1",
		OnQuestion(func(context.Context, string, string) (string, error) { return "", failing }))
	equal(t, errors.Is(err, failing), true)
}

func TestReturnsNoAnswerErrorAfterTheTimeoutOrDeadline(t *testing.T) {
	over, cancel := context.WithCancelCause(ctx)
	cancel(errors.New("enough"))
	client := replying().client(t, Config{})
	_, err := client.Approvals.Wait(over, "apr_1")
	var late *NoAnswerError
	if !errors.As(err, &late) {
		t.Fatal(err)
	}
	equal(t, late.ID, "apr_1")
	equal(t, late.DeadlinePassed, false)
	equal(t, errors.Is(err, context.Cause(over)), true)
	_, err = client.Ask(over, ApprovalRequest{Question: "Ship?"})
	equal(t, errors.As(err, &late) && late.ID == "", true)
	_, err = replying(approval(`"status":"pending","deadlinePassed":true`)).client(t, Config{}).Approvals.Wait(ctx, "apr_1")
	equal(t, errors.As(err, &late) && late.DeadlinePassed, true)
	refusing := replying(reply{status: 403, body: `{"error":"Forbidden"}`})
	during, cancel := context.WithCancelCause(ctx)
	_, err = refusing.client(t, Config{TokenSource: func(context.Context, string) (string, error) {
		cancel(nil)
		return "secret", nil
	}}).Approvals.Wait(during, "apr_1")
	var refused *Error
	equal(t, errors.As(err, &refused) && refused.Status == 403, true)
}

func TestRejectsAnAnswerByTheApp(t *testing.T) {
	byApp := approval(`"status":"resolved","resolution":{"kind":"option","optionId":"yes","resolvedBy":"api","resolvedAt":2}`)
	asked := ""
	answer, err := replying(reply{status: 201, body: `{"id":"apr_1"}`}, byApp).client(t, Config{}).Ask(ctx, ApprovalRequest{Question: "Ship?"},
		OnAsked(func(id string) { asked = id }))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, asked, "apr_1")
	equal(t, answer.Chosen, "yes")
	equal(t, answer.Yes("yes"), false)
}

func TestReadsAllPagesOfAList(t *testing.T) {
	first := reply{status: 200, body: `{"data":[` + pending.body + "," + pending.body + `],"nextCursor":"c1"}`}
	last := reply{status: 200, body: `{"data":[` + pending.body + `]}`}
	service := replying(first, last)
	var read []*Approval
	for it, err := range service.client(t, Config{}).Approvals.List(ctx, ApprovalFilter{Status: "pending"}) {
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, it)
	}
	equal(t, len(read), 3)
	var raw struct{ NewNextYear struct{ A int } }
	equal(t, json.Unmarshal(read[0].Raw, &raw), nil)
	equal(t, raw.NewNextYear.A, 1)
	equal(t, service.sent[0].URL.RawQuery, "status=pending")
	equal(t, service.sent[1].URL.RawQuery, "cursor=c1&status=pending")
	limited := replying(first)
	count := 0
	for range limited.client(t, Config{}).Approvals.List(ctx, ApprovalFilter{Limit: 2}) {
		count++
	}
	equal(t, count, 2)
	equal(t, limited.sent[0].URL.RawQuery, "limit=2")
	ended := replying(first)
	for range ended.client(t, Config{}).Approvals.List(ctx, ApprovalFilter{}) {
		break
	}
	equal(t, len(ended.sent), 1)
	failing := replying(reply{status: 403, body: `{"error":"Forbidden"}`})
	for _, err := range failing.client(t, Config{}).Notifications.List(ctx, NotificationFilter{}) {
		equal(t, err != nil, true)
	}
}

func TestNamesAMissingOrInvalidSetting(t *testing.T) {
	t.Setenv("COUNTERSIGN_URL", "")
	t.Setenv("COUNTERSIGN_TOKEN", "")
	for missing, config := range map[string]Config{
		"COUNTERSIGN_URL":   {},
		"COUNTERSIGN_TOKEN": {BaseURL: "https://yes.example.com"},
		"not an address":    {BaseURL: "yes.example.com", Token: "x"},
	} {
		if _, err := New(config); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("%v, want %s", err, missing)
		}
	}
	t.Setenv("COUNTERSIGN_URL", "https://yes.example.com")
	t.Setenv("COUNTERSIGN_TOKEN", "x")
	_, err := New(Config{})
	equal(t, err, nil)
}
