type Example = { query?: Record<string, string>; body?: Record<string, unknown> };

/** What the documentation sends, by operation. A test holds each against the operation's own schema. */
export const examples: Record<string, Example> = {
  submitApproval: {
    body: {
      question: "Ship build 418 to production?",
      options: [
        { id: "ship", label: "Ship now" },
        { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
      ],
      backgroundContext: "All **212** checks are green.",
      recommendation: "wait",
    },
  },
  listApprovals: { query: { status: "pending", limit: "20" } },
  resolveApproval: { body: { kind: "option", optionId: "wait", note: "The soak test found something." } },
  addToApproval: { body: { text: "The soak test ended at 17:40: **no errors** in 3 hours." } },
  reportOutcome: {
    body: { status: "done", text: "Deployed build 418.", link: "https://ci.example/builds/418" },
  },
  pushNotification: {
    body: {
      title: "Build 418 is live",
      body: "It took 4 minutes.",
      type: "deploys",
      data: { inbox: { url: "https://deploy.example/builds/418", priority: "low" } },
    },
  },
  listEvents: { query: { limit: "20", wait: "30" } },
  listNotifications: { query: { type: "deploys" } },
};
