-- additive
SET lock_timeout = '500ms';

-- Fills the rows from before. Only a change of the same row waits for this migration.
UPDATE "integration_secret" t SET "owner_id" = i."owner_id" FROM "integration" i WHERE i."id" = t."integration_id" AND t."owner_id" = '';
UPDATE "alert_subject" t SET "owner_id" = al."owner_id" FROM "alert" al WHERE al."id" = t."alert_id" AND t."owner_id" = '';
UPDATE "alert_delivery" t SET "owner_id" = al."owner_id" FROM "alert" al WHERE al."id" = t."alert_id" AND t."owner_id" = '';
UPDATE "webhook_attempt" t SET "owner_id" = d."owner_id" FROM "webhook_delivery" d WHERE d."id" = t."delivery_id" AND t."owner_id" = '';
