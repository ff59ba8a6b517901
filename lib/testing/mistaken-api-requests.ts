/*
 * The service's replies should help newcomers who make mistakes. Each row below is a request with a
 * mistake, and scores its reply:
 *
 *   points status METHOD path [as WHO] [body] → part of the reply
 *
 * 3 points: the reply says what to do (`saysWhatToDo`). 2: it says what is wrong. 1: it says
 * something. 0: it says nothing or misleads. WHO is one of the test's tokens, or an Authorization
 * header in quotation marks. By default, it is a token with every scope.
 * A body in braces is JSON. A body after `json:` or `form:` is sent unchanged, and `+Name=value` is
 * a header. QUESTION, OPTIONS, and capitalized words after $ are replaced with the test's values.
 */

/** Matches a reply that says what to do, instead of only describing the error. */
export const saysWhatToDo =
  /\b(send|use|must|remove the|ask|copy|create|get a new|did you mean|check that|look at|looks like|resolve it|takes|there is|offer|is required|allow-headers|allow-origin|supports wait|accepts)\b/i;

export const mistakes: Record<string, string> = {
  tokens: `
3 401 GET /api/approvals as nobody → The request has no token. Send Authorization: Bearer <token>.
3 401 GET /api/approvals as "Bearer " → The Authorization header has no token after Bearer. Check that your token variable is set.
3 401 GET /api/approvals as "Bearer undefined" → Check that your token variable is set.
3 401 GET /api/approvals as "Bearer null" → Check that your token variable is set.
3 401 GET /api/approvals as "Token $ALL" → must begin with Bearer. Send Authorization: Bearer <token>.
3 401 GET /api/approvals as "$ALL" → must begin with Bearer. Send Authorization: Bearer <token>.
3 401 GET /api/approvals as "Bearer $HALF" → Copy the whole token, which begins with csn_.
3 401 GET /api/approvals as "Bearer $CLIENT" → Copy the whole token, which begins with csn_.
3 401 GET /api/approvals as "Bearer $REFRESH" → The token is not a complete access token or personal token. Copy the whole token
3 401 GET /api/approvals as revoked → unknown, expired or revoked. Refresh the token, or get a new token.
3 401 GET /api/approvals as mcp → This token works only for /api/mcp. Create a token for /api.
3 401 POST /api/mcp as all {} → This token works only for /api. Create a token for /api/mcp.`,

  scopes: `
3 403 POST /api/approvals as reader {QUESTION,OPTIONS} → This request requires the scope approvals:write. This token has approvals:read. Ask the owner to allow approvals:write
3 403 POST /api/approvals as writer {QUESTION,OPTIONS,"defaultOptionId":"yes","expiresAt":$SOON} → This request requires the scope approvals:resolve. Ask the owner to allow approvals:resolve`,

  bodies: `
2 400 POST /api/approvals {OPTIONS} → "path":"question","message":"Required"
2 400 POST /api/approvals {QUESTION} → "path":"options","message":"Required"
3 400 POST /api/approvals {QUESTION,"options":[]} → Must offer at least one option
3 400 POST /api/approvals {QUESTION,"options":["yes","no"]} → Must be an object {id, label}, not text
2 400 POST /api/approvals {QUESTION,"options":[{"id":"yes"}]} → "path":"options.0.label","message":"Required"
3 400 POST /api/approvals {QUESTION,"options":[{"id":"yes","text":"Yes"}]} → Did you mean label?
3 400 POST /api/approvals {QUESTION,"option":[]} → Did you mean options?
3 400 POST /api/approvals {QUESTION,"choices":[]} → Did you mean options?
3 400 POST /api/approvals {QUESTION,OPTIONS,"context":"Why"} → Did you mean backgroundContext?
3 400 POST /api/approvals {QUESTION,OPTIONS,"background_context":"Why"} → Did you mean backgroundContext?
3 400 POST /api/approvals {QUESTION,OPTIONS,"metadata":{}} → Did you mean backgroundContext?
3 400 POST /api/approvals {"message":"Ship?",OPTIONS} → Did you mean question?
3 400 POST /api/approvals {"title":"Ship?",OPTIONS} → Did you mean question?
3 400 POST /api/approvals {QUESTION,OPTIONS,"expiresIn":3600} → Send expiresAt, a time in epoch milliseconds
3 400 POST /api/approvals {QUESTION,OPTIONS,"deadline":$SOON} → Did you mean expiresAt?
3 400 POST /api/approvals {QUESTION,OPTIONS,"expiresAt":1795000000} → The value looks like seconds. Send milliseconds.
3 400 POST /api/approvals {QUESTION,OPTIONS,"expiresAt":3600} → The value looks like a duration. Send a time in epoch milliseconds.
3 400 POST /api/approvals {QUESTION,OPTIONS,"expiresAt":"2026-12-01T00:00:00Z"} → Must be epoch milliseconds, like 1795000000000
3 400 POST /api/approvals {QUESTION,OPTIONS,"expiresAt":1750000000000} → Must be 10 seconds to 366 days from now
3 400 POST /api/approvals {QUESTION,OPTIONS,"risk":"critical"} → Must be \\"low\\" or \\"normal\\" or \\"high\\"
3 400 POST /api/approvals {QUESTION,OPTIONS,"idempotencyKey":"a"} → Send the key in the Idempotency-Key header.
3 400 POST /api/approvals {QUESTION,OPTIONS,"wait":30} → Send wait in the query, as in /api/approvals?wait=30
3 400 POST /api/approvals {QUESTION,"options":[{"id":"a","label":"Yes"},{"id":"A","label":"No"}]} → Option IDs must differ by more than case
3 400 POST /api/approvals json:{'question':'Ship?'} → The JSON in the request body is invalid at character 2. Use double quotes for names and text
3 400 POST /api/approvals json: → The request body is empty. Send a JSON object.
3 400 POST /api/approvals form:question=Ship → Content-Type must be application/json
3 413 POST /api/approvals {QUESTION,OPTIONS,"backgroundContext":"$LONG"} → Send at most 128 KiB. For longer content, send a link.
3 400 POST /api/notifications {"title":"Done","message":"All of it"} → Did you mean body?`,

  waits: `
3 400 POST /api/approvals?timeout=5 {QUESTION,OPTIONS} → Unrecognized key: timeout. Did you mean wait?
3 400 GET /api/approvals?wait=true → Send wait only for a single approval: GET /api/approvals/{id}?wait=30
3 400 GET /api/approvals/$PENDING?wait=300 → Must be at most 60`,

  paths: `
3 404 POST /approvals {QUESTION,OPTIONS} → Did you mean /api/approvals?
3 404 POST /v1/approvals {QUESTION,OPTIONS} → Did you mean /api/approvals?
3 404 GET /approvals → Did you mean /api/approvals?
3 404 GET /api/v1/approvals → Did you mean /api/approvals?
3 404 GET /api/approval → Did you mean /api/approvals?
3 404 GET /api/approvals/ → Remove the trailing slash: /api/approvals.
3 404 POST /api/approvals/ {QUESTION,OPTIONS} → Remove the trailing slash: /api/approvals.
3 404 GET //api/approvals → Did you mean /api/approvals?
3 404 GET /api/users → Use one of these paths: /api/approvals
3 404 GET /api/approvals/undefined → Must be the ID of an approval, like apr_
3 404 GET /api/approvals/ntf_00000000000000000000000000000000 → Must be the ID of an approval, like apr_
3 405 DELETE /api/approvals/$PENDING → To withdraw the question, use POST /api/approvals/{id}/resolve with the scope approvals:resolve.`,

  answers: `
3 400 POST /api/approvals/$PENDING/resolve {"kind":"option","optionId":"Yes"} → "path":"optionId","message":"Must be the ID of one of this approval's options"
2 400 POST /api/approvals/$PENDING/resolve {"optionId":"yes"} → "path":"kind","message":"Required"
3 400 POST /api/approvals/$PENDING/resolve {"answer":"yes"} → Send optionId with kind option, or otherText with kind other
3 400 POST /api/approvals/$PENDING/resolve {"kind":"option","option":"yes"} → Did you mean optionId?
3 400 POST /api/approvals/$PENDING/resolve {"kind":"other"} → Send optionId with kind option, or otherText with kind other
3 400 POST /api/approvals/$PENDING/resolve {"kind":"yes","optionId":"yes"} → Must be \\"option\\" or \\"other\\"
2 409 POST /api/approvals/$ANSWERED/resolve {"kind":"option","optionId":"yes"} → Already resolved`,

  "lists and keys": `
3 400 GET /api/approvals?page=2 → Did you mean cursor?
3 400 GET /api/approvals?limit=1000 → Must be a whole number from 1 to 200
3 400 GET /api/approvals?status=open → Must be \\"pending\\" or \\"resolved\\"
3 400 GET /api/approvals?cursor=2 → Must be a cursor from this list
3 422 POST /api/approvals +Idempotency-Key=used {"question":"Another?",OPTIONS} → Use a new key, or resend the original request unchanged.
3 400 GET /api/events?since=1 → Did you mean after?`,

  "browser and TLS": `
3 204 OPTIONS /api/approvals as nobody +Origin=http://localhost:5173 +Access-Control-Request-Method=POST → access-control-allow-headers: Accept, Authorization
3 200 GET /api/approvals +Origin=http://localhost:5173 → access-control-allow-origin: *`,

  OAuth: `
3 405 GET /oauth/token as nobody → Use POST
3 400 POST /oauth/token as nobody {"grant_type":"authorization_code"} → Content-Type must be application/x-www-form-urlencoded
3 400 POST /oauth/token?grant_type=authorization_code as nobody form: → Parameters must be in the request body, not in the URL
2 400 POST /oauth/token as nobody form:client_id=$APP → grant_type is missing
3 400 POST /oauth/token as nobody form:client_id=$APP&grant_type=password → grant_type must be one of
3 400 POST /oauth/token as nobody form:client_id=$APP&grant_type=client_credentials → grant_type must be one of
2 401 POST /oauth/token as nobody form:client_id=app_x&grant_type=authorization_code&code=a → Client authentication failed
2 400 POST /oauth/token as nobody form:client_id=$APP&grant_type=authorization_code&code=a&redirect_uri=$BACK&code_verifier=$VERIFIER → The code is invalid, already used or expired`,
};
