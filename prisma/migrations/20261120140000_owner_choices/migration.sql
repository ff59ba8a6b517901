-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

CREATE TABLE "owner_settings" (
  "owner_id" text COLLATE "C" PRIMARY KEY REFERENCES "owner" ("id"),
  "undo_seconds" integer NOT NULL DEFAULT 0 CHECK ("undo_seconds" IN (0, 5, 10, 30)),
  "always_confirm" boolean NOT NULL DEFAULT false,
  "single_keys" boolean NOT NULL DEFAULT true,
  "theme" text NOT NULL DEFAULT 'system' CHECK ("theme" IN ('system', 'light', 'dark')),
  "density" text NOT NULL DEFAULT 'comfortable' CHECK ("density" IN ('comfortable', 'compact')),
  "motion" text NOT NULL DEFAULT 'system' CHECK ("motion" IN ('system', 'reduced')),
  "time_zone" text NOT NULL DEFAULT 'UTC',
  "quiet_from" integer CHECK ("quiet_from" BETWEEN 0 AND 1439),
  "quiet_until" integer CHECK ("quiet_until" BETWEEN 0 AND 1439),
  "quiet_days" integer[] NOT NULL DEFAULT '{0,1,2,3,4,5,6}',
  "quiet_breakthrough" boolean NOT NULL DEFAULT true,
  "lock_screen" text NOT NULL DEFAULT 'private' CHECK ("lock_screen" IN ('private', 'full')),
  "email_alerts" boolean NOT NULL DEFAULT true,
  "email_after_minutes" integer NOT NULL DEFAULT 10 CHECK ("email_after_minutes" BETWEEN 1 AND 1440),
  "first_steps_done_at" timestamptz(3),
  "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (("quiet_from" IS NULL) = ("quiet_until" IS NULL))
);

-- No foreign key to the app: what the service itself says stands under an id that no app has.
CREATE TABLE "app_choice" (
  "owner_id" text COLLATE "C" NOT NULL REFERENCES "owner" ("id"),
  "app_id" text COLLATE "C" NOT NULL,
  "questions_muted" boolean NOT NULL DEFAULT false,
  "notifications_muted" boolean NOT NULL DEFAULT false,
  "muted_types" text[] NOT NULL DEFAULT '{}',
  "always_confirm" boolean NOT NULL DEFAULT false,
  "lock_screen" text CHECK ("lock_screen" IN ('private', 'full')),
  "updated_at" timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY ("owner_id", "app_id")
);
