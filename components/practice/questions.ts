/** Something to answer that nobody asked. It lives in this file and in the browser, and nowhere else. */
export type PracticeQuestion = {
  id: string;
  from: string;
  question: string;
  background: string;
  options: { id: string; label: string; note?: string }[];
};

export const practiceQuestions: PracticeQuestion[] = [
  {
    id: "bread",
    from: "Kitchen helper",
    question: "We are out of bread. Order the usual loaf for tomorrow morning?",
    background: "The baker takes orders until 18:00. The usual loaf is 3.20.",
    options: [
      { id: "order", label: "Order it" },
      { id: "two", label: "Order two", note: "There are guests on Saturday" },
      { id: "skip", label: "Not this time" },
    ],
  },
  {
    id: "reply",
    from: "Post room",
    question: "Ana asks whether Thursday at ten suits you. What shall I answer?",
    background: "Your calendar is free from nine to noon that day.",
    options: [
      { id: "yes", label: "Thursday at ten is fine" },
      { id: "friday", label: "Suggest Friday instead" },
    ],
  },
];
