import * as alertLoop from "@/lib/alerts/alert-loop";
import * as alertDeliveries from "@/lib/alerts/delivery-worker";
import * as alertMail from "@/lib/alerts/email";
import * as deadlines from "@/lib/approvals/deadlines";
import * as heldAnswers from "@/lib/approvals/held-answers";
import * as archive from "@/lib/archive/apply-retention";
import * as freeze from "@/lib/freeze/stop-late-questions";
import * as accountChecks from "@/lib/integrations/account-check-worker";
import * as removedAccounts from "@/lib/integrations/disconnect-account";
import * as notifications from "@/lib/notifications/mark-expired-done";
import * as failedSignIns from "@/lib/owners/failed-sign-ins";
import * as securityMail from "@/lib/owners/security-mail";
import { eachOnEveryShard } from "./shards/at-every-shard";

/** The chores that tests call, each once per shard, as the service runs them. */
export const { alertOwners } = eachOnEveryShard(alertLoop);
export const { deliverAlerts } = eachOnEveryShard(alertDeliveries);
export const { emailOwners } = eachOnEveryShard(alertMail);
export const { recordPassedDeadlines, settleDueDeadlines } = eachOnEveryShard(deadlines);
export const { sendDueAnswers } = eachOnEveryShard(heldAnswers);
export const { applyRetention } = eachOnEveryShard(archive);
export const { stopLateQuestions } = eachOnEveryShard(freeze);
export const { keepAlive } = eachOnEveryShard(accountChecks);
export const { eraseRemoved } = eachOnEveryShard(removedAccounts);
export const { markExpiredDone } = eachOnEveryShard(notifications);
export const { flushFailedSignIns } = eachOnEveryShard(failedSignIns);
export const { mailRefusals } = eachOnEveryShard(securityMail);
