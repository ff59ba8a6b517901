-- additive
SET lock_timeout = '500ms';

-- Whether the owner's passkey must sign every answer to the app.
ALTER TABLE "app_choice" ADD COLUMN "sign_answers" boolean NOT NULL DEFAULT false;

-- Whether the owner signs answers to the app only in a lens of another origin.
ALTER TABLE "app_choice" ADD COLUMN "sign_in_lens" boolean NOT NULL DEFAULT false;

-- Whether an owner's answer needs a signature: "required", "lens" if it must be signed in a lens, "impossible" if the owner has no
-- passkey, or NULL. As a function, it costs answers from apps nothing, because they never call it.
CREATE FUNCTION "approval_signing"("signed_by_owner" text, "whose" text, "app" text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  "able" boolean := EXISTS (SELECT FROM "passkey" p WHERE p."owner_id" = "whose");
BEGIN
  IF "signed_by_owner" = 'in-lens'
    OR EXISTS (SELECT FROM "app_choice" c WHERE c."owner_id" = "whose" AND c."app_id" = "app" AND c."sign_in_lens")
  THEN
    RETURN CASE WHEN "able" THEN 'lens' ELSE 'impossible' END;
  END IF;
  IF "signed_by_owner" = 'required'
    OR EXISTS (SELECT FROM "owner_settings" s WHERE s."owner_id" = "whose" AND s."sign_answers")
    OR EXISTS (SELECT FROM "app_choice" c WHERE c."owner_id" = "whose" AND c."app_id" = "app" AND c."sign_answers")
  THEN
    RETURN CASE WHEN "able" THEN 'required' ELSE 'impossible' END;
  END IF;
  RETURN CASE WHEN "signed_by_owner" = 'when-possible' AND "able" THEN 'required' END;
END $$;
