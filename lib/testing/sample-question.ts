/** A valid question. */
export const aQuestion = {
  question: "Ship build 418 to production?",
  options: [
    { id: "ship", label: "Ship now" },
    { id: "wait", label: "Wait for the soak test", note: "Ends at 18:00" },
  ],
};
