-- additive
SET lock_timeout = '500ms';

-- The PostgreSQL databases that store owners. "main" is the database of this table, the directory.
CREATE TABLE "shard" (
  "name" text COLLATE "C" NOT NULL,
  "number" integer NOT NULL,
  "added_at" timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT "shard_pkey" PRIMARY KEY ("name"),
  CONSTRAINT "shard_name" CHECK ("name" ~ '^[a-z][a-z0-9_]{0,30}$'),
  CONSTRAINT "shard_number" CHECK ("number" BETWEEN 0 AND 63)
);
CREATE UNIQUE INDEX "shard_number_key" ON "shard" ("number");
INSERT INTO "shard" ("name", "number") VALUES ('main', 0);

-- The shard of each home. A home without a row is on "main".
CREATE TABLE "home_placement" (
  "home" integer NOT NULL,
  "shard" text COLLATE "C" NOT NULL,
  "state" text COLLATE "C" NOT NULL DEFAULT 'placed',
  "moving_to" text COLLATE "C",
  "changed_at" timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT "home_placement_pkey" PRIMARY KEY ("home"),
  CONSTRAINT "home_placement_home" CHECK ("home" BETWEEN 0 AND 1023),
  CONSTRAINT "home_placement_state" CHECK ("state" IN ('placed', 'copying', 'paused')),
  CONSTRAINT "home_placement_shard_fkey" FOREIGN KEY ("shard") REFERENCES "shard" ("name"),
  CONSTRAINT "home_placement_moving_to_fkey" FOREIGN KEY ("moving_to") REFERENCES "shard" ("name")
);

CREATE TABLE "placement_version" (
  "id" integer NOT NULL,
  "version" bigint NOT NULL,
  CONSTRAINT "placement_version_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "placement_version_id" CHECK ("id" = 1)
);
INSERT INTO "placement_version" ("id", "version") VALUES (1, 1);

-- The version that each running instance uses. An instance removes its row when it stops.
CREATE TABLE "instance_placement" (
  "instance" text COLLATE "C" NOT NULL,
  "version" bigint NOT NULL,
  "seen_at" timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT "instance_placement_pkey" PRIMARY KEY ("instance")
);

-- Every change of the placement has a new version, and instances are notified. Instances of earlier versions ignore the message.
CREATE FUNCTION "count_placement_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "placement_version" SET "version" = "version" + 1;
  PERFORM pg_notify('countersign_news', 'directory placement');
  RETURN NULL;
END $$;
CREATE TRIGGER "shard_counted" AFTER INSERT OR UPDATE OR DELETE ON "shard"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_placement_change"();
CREATE TRIGGER "home_placement_counted" AFTER INSERT OR UPDATE OR DELETE ON "home_placement"
  FOR EACH STATEMENT EXECUTE FUNCTION "count_placement_change"();
