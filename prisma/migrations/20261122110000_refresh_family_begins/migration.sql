-- Give up rather than queue behind traffic: the service tries again.
SET lock_timeout = '2s';

-- When the owner gave what a family has: a scope that was taken back and given anew since then is not in it.
ALTER TABLE "refresh_token" ADD COLUMN "began_at" timestamptz(3) NOT NULL DEFAULT now();
