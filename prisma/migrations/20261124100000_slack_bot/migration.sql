-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- A bot of the owner's in Slack, too. NOT VALID looks through nothing: what is there was held to less.
ALTER TABLE "alert_channel"
  DROP CONSTRAINT "alert_channel_kind_check",
  ADD CONSTRAINT "alert_channel_kind_check"
    CHECK ("kind" IN ('ntfy', 'gotify', 'telegram', 'slack', 'slack-bot', 'webhook')) NOT VALID;

-- When an answer was pressed on an alert: once at each place that shows it.
ALTER TABLE "alert_delivery" ADD COLUMN "pressed_at" timestamptz(3);

-- Whether alerts offer the answers to questions of low risk.
ALTER TABLE "owner_settings" ADD COLUMN "answer_from_alerts" boolean NOT NULL DEFAULT false;
