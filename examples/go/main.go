// Asks the owner before it ships a build, and waits without a time limit: go run . 420
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"unpublished.example/countersign"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "Usage: go run . BUILD, with COUNTERSIGN_URL and COUNTERSIGN_TOKEN set")
		os.Exit(2)
	}
	build := os.Args[1]
	ctx := context.Background()
	client, err := countersign.New(countersign.Config{}) // COUNTERSIGN_URL, COUNTERSIGN_TOKEN
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.Ask(ctx, countersign.ApprovalRequest{
		Question: "Ship build " + build + "?",
		Options:  []countersign.Option{{ID: "ship", Label: "Ship now"}, {ID: "wait", Label: "Wait"}},
		Key:      "ship-" + build, // Within 24 hours, a restarted program finds the same question.
	})
	if err != nil {
		log.Fatal(err)
	}
	if !answer.Yes("ship") {
		fmt.Println("Not shipping.", answer.Text, answer.Note)
		os.Exit(1)
	}
	fmt.Println("Shipping", build)
	if err := client.Approvals.Report(ctx, answer.ID, countersign.OutcomeRequest{Status: "done", Text: "Shipped"}); err != nil {
		log.Fatal(err)
	}
}
