-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- What the sweep looks for, so that it does not read whole tables every few minutes.
CREATE INDEX "owner_session_ended_at" ON "owner_session" ("ended_at") WHERE "ended_at" IS NOT NULL;
CREATE INDEX "integration_disconnected_at" ON "integration" ("disconnected_at") WHERE "disconnected_at" IS NOT NULL;
