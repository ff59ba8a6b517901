-- additive
SET lock_timeout = '500ms';

-- The owner of the account.
ALTER TABLE "integration_secret" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "integration_secret" ALTER COLUMN "owner_id" DROP DEFAULT;

-- The owner of the alert.
ALTER TABLE "alert_subject" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "alert_subject" ALTER COLUMN "owner_id" DROP DEFAULT;
ALTER TABLE "alert_delivery" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "alert_delivery" ALTER COLUMN "owner_id" DROP DEFAULT;

-- The event's owner, as in "webhook_delivery", who need not be the owner of the endpoint.
ALTER TABLE "webhook_attempt" ADD COLUMN "owner_id" text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE "webhook_attempt" ALTER COLUMN "owner_id" DROP DEFAULT;

-- For instances of the previous version, which insert rows without "owner_id". A later version drops the functions and their triggers.
CREATE FUNCTION "set_owner_from_integration"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."owner_id" := (SELECT i."owner_id" FROM "integration" i WHERE i."id" = NEW."integration_id");
  RETURN NEW;
END $$;
CREATE TRIGGER "integration_secret_of_owner" BEFORE INSERT ON "integration_secret"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_integration"();

CREATE FUNCTION "set_owner_from_alert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."owner_id" := (SELECT al."owner_id" FROM "alert" al WHERE al."id" = NEW."alert_id");
  RETURN NEW;
END $$;
CREATE TRIGGER "alert_subject_of_owner" BEFORE INSERT ON "alert_subject"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_alert"();
CREATE TRIGGER "alert_delivery_of_owner" BEFORE INSERT ON "alert_delivery"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_alert"();

CREATE FUNCTION "set_owner_from_webhook_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."owner_id" := (SELECT d."owner_id" FROM "webhook_delivery" d WHERE d."id" = NEW."delivery_id");
  RETURN NEW;
END $$;
CREATE TRIGGER "webhook_attempt_of_owner" BEFORE INSERT ON "webhook_attempt"
  FOR EACH ROW WHEN (NEW."owner_id" IS NULL) EXECUTE FUNCTION "set_owner_from_webhook_delivery"();
