/**
 * The lean server's tables. They hold only what a team needs to ask and answer, without
 * Countersign's events, grants, hashes, deadlines, triage and receipts. IDs are UUIDs in the order
 * of creation. The first index serves an app's list, the second an owner's inbox.
 */
export const schema = `
  CREATE TABLE token (
    hash bytea PRIMARY KEY,
    owner_id text NOT NULL,
    app_id text NOT NULL,
    scopes text[] NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  CREATE TABLE approval (
    id uuid PRIMARY KEY,
    owner_id text NOT NULL,
    app_id text NOT NULL,
    question text NOT NULL,
    options json NOT NULL,
    background_context text,
    recommendation text,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'resolved')),
    resolution json,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX approval_of_app ON approval (owner_id, app_id, created_at DESC, id DESC);
  CREATE INDEX approval_pending ON approval (owner_id, created_at) WHERE status = 'pending';`;
