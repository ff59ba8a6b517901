import { StepList } from "@/components/ui/step-list";

const steps = ["Register an app", "Create a token for the app", "Send a question, then answer it in Approvals"];

/** The steps from a new app to its first answer. `done` is the number of completed steps. */
export const AppSteps = ({ done }: { done: number }) => (
  <div className="mb-5">
    <StepList
      label="First steps"
      steps={steps.map((label, index) => ({ label, done: index < done }))}
      className="sm:grid-cols-3"
    />
  </div>
);
