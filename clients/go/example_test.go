package countersign_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"time"

	"unpublished.example/countersign"
)

func Example() {
	client, err := countersign.New(countersign.Config{})
	if err != nil {
		log.Fatal(err)
	}
	// The context sets the time limit. With context.Background there is none.
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	answer, err := client.Ask(ctx, countersign.ApprovalRequest{
		Question:  "Ship version 4 to everyone?",
		Options:   []countersign.Option{{ID: "ship", Label: "Ship it"}, {ID: "wait", Label: "Not yet"}},
		OwnerOnly: true,
		Key:       "ship-v4",
	})
	var late *countersign.NoAnswerError
	switch {
	case errors.As(err, &late):
		fmt.Println("No answer yet; client.Approvals.Wait resumes with", late.ID)
	case err != nil:
		log.Fatal(err)
	case answer.Yes("ship"):
		fmt.Println("Shipping")
	default:
		fmt.Println("Not shipping:", answer.Chosen, answer.Text)
	}
}

func ExampleApprovals_List() {
	client, err := countersign.New(countersign.Config{})
	if err != nil {
		log.Fatal(err)
	}
	for approval, err := range client.Approvals.List(context.Background(), countersign.ApprovalFilter{Status: "pending"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(approval.CreationTime.Time(), approval.Question)
	}
}

func ExampleVerifyWebhook() {
	secret := "whsec_…" // from "countersign webhook add"
	http.HandleFunc("POST /webhooks/countersign", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			return
		}
		event, err := countersign.VerifyWebhook(body, r.Header, secret)
		if err != nil {
			http.Error(w, "not proven", http.StatusBadRequest)
			return
		}
		log.Println(event.ID, event.Type)
		w.WriteHeader(http.StatusNoContent)
	})
}

func ExampleVerifyReceipt() {
	jws := "…" // brought by an agent, say
	receipt, err := countersign.VerifyReceipt(context.Background(), jws, countersign.ReceiptChecks{
		Issuer:   "https://yes.example.com",
		Audience: "app_…",
		Owner:    "own_…",
		Content: countersign.ApprovalRequest{
			Question: "Wipe the disk?",
			Options:  []countersign.Option{{ID: "wipe", Label: "Wipe"}, {ID: "keep", Label: "Keep"}},
		},
	})
	if err == nil && receipt.Yes("wipe") {
		fmt.Println("Wiping")
		return
	}
	fmt.Println("Not wiping")
	// Output: Not wiping
}

func ExampleContentHash() {
	hash, err := countersign.ContentHash(countersign.ApprovalRequest{
		Question: "Ship?",
		Options:  []countersign.Option{{ID: "yes", Label: "Yes"}},
	})
	fmt.Println(hash, err)
	// Output: sha256:ec13f23d6c3b5388db4a11dcadf2aff4953be06b1152c0844fcb6cf129f51785 <nil>
}
