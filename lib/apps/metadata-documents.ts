import { clock } from "@/lib/clock";
import { db } from "@/lib/database/db";
import { isInDirectory } from "@/lib/database/shards/each-shard";
import { inEveryShard } from "@/lib/database/shards/marks";
import { type Executor, sql } from "@/lib/database/sql";
import { AppError, asAppError, unavailable } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { FetchRefused, type GuardedReply, guardedFetch } from "@/lib/net/guarded-fetch";
import { consumeAttempt } from "@/lib/owners/fixed-window-limiter";
import { concurrencyLimiter } from "@/lib/work/concurrency-limiter";
import { nameSkeletons } from "./app-name-checks";
import { type ClientMetadata, objectOf, RegistrationError, readClientMetadata } from "./client-metadata";
import { metadataUrlProblem } from "./metadata-url";
import { redirectProblem } from "./redirect-uris";
import { registrableDomain } from "./registrable-domain";

/*
 * An app can be identified by the URL of its metadata document
 * (draft-ietf-oauth-client-id-metadata-document). Each such app has a row with one of our IDs,
 * which is updated from the document.
 */

const fetchLimits = { milliseconds: 5_000, bytes: 5 * 1024 };
/**
 * Rate limits for first-time fetches, per site and per caller, because anyone can make us fetch a
 * URL.
 */
const perSite = { max: 60, seconds: 60 };
const perAsker = { max: 30, seconds: 60 };
const tooManyNew = "Too many new apps from your network. Try again in a minute.";
/**
 * Limits this process's concurrent fetches. No single site or caller can use all slots, so fetches
 * for others can still run.
 */
const takePlace = concurrencyLimiter({ all: 60, site: 8, asker: 4 });
/**
 * `retrySeconds`: how long after a failed refresh of a stored copy the next refresh is attempted.
 * `spareSeconds`: how long an expired copy that can't be refreshed stays valid.
 */
const retrySeconds = 30;
const spareSeconds = 86_400;

type Copy = { id: string; fresh: boolean; good: boolean };

/**
 * Returns the ID of the app with this client_id URL. The document is fetched if no copy is stored
 * or the copy has expired. If the fetch fails, an expired copy stays valid for one day; without a
 * copy, the next call fetches again.
 * @param asker the caller's address as in `ipPrefix`; absent for the operator
 * @throws {AppError} 400 that names the problem, 429, 503
 */
export async function metadataApp(url: string, asker?: string): Promise<string> {
  const problem = metadataUrlProblem(url);
  if (problem) throw wrong(`client_id: ${problem}`);
  const copy = await findCopy(url);
  if (copy?.fresh) return copy.id;
  try {
    return await readOnce(url, { known: copy !== undefined, asker });
  } catch (error) {
    if (!copy?.good || !(error instanceof AppError)) throw error;
    await sql`
      UPDATE app
      SET metadata_fresh_until = least(
        now() + make_interval(secs => ${retrySeconds}::int), metadata_good_until
      )
      WHERE id = ${copy.id}`.run();
    return copy.id;
  }
}

const wrong = (message: string) => new AppError(400, message);

const findCopy = (url: string): Promise<Copy | undefined> =>
  sql<Copy>`
    SELECT id, metadata_fresh_until > now() AS fresh, metadata_good_until > now() AS good
    FROM app
    WHERE metadata_url = ${url} AND deleted_at IS NULL`.row();

/**
 * Reads and stores a document, and returns the app's ID. Concurrent requests for the same document
 * share one fetch.
 */
async function readOnce(url: string, how: Reading): Promise<string> {
  const already = underWay.get(url);
  if (already) return already;
  const site = registrableDomain(new URL(url));
  const leave = takePlace({ site, asker: how.asker });
  if (!leave) throw unavailable();
  const reading = readAndKeep(url, site, how).finally(() => {
    leave();
    underWay.delete(url);
  });
  underWay.set(url, reading);
  return reading;
}
const underWay = new Map<string, Promise<string>>();

type Reading = { known: boolean; asker: string | undefined };

async function readAndKeep(url: string, site: string, { known, asker }: Reading): Promise<string> {
  if (!known) {
    // Checks the caller's limit first, because a caller that has reached its own limit must not use
    // up the site's.
    if (asker !== undefined) await consumeAttempt("metadata-asker", asker, perAsker, tooManyNew);
    await consumeAttempt(
      "metadata",
      site,
      perSite,
      "Too many new apps from this app's website. Try again in a minute.",
    );
  }
  const reply = await fetchDocument(url);
  const metadata = readDocument(url, reply);
  return db.$transaction(async (tx) => {
    // Locks the row in a separate statement, so that the next statement sees grants that were added
    // while this one waited for the lock.
    const app = await sql<{ id: string }>`
      SELECT id
      FROM app
      WHERE metadata_url = ${url}
      FOR NO KEY UPDATE`.row(tx);
    const connectedElsewhere = app !== undefined && (await isConnectedElsewhere(app.id));
    return keep(tx, { url, metadata, seconds: freshSeconds(reply.headers), connectedElsewhere });
  });
}

async function fetchDocument(url: string): Promise<GuardedReply> {
  const { host } = new URL(url);
  try {
    return await guardedFetch(new URL(url), { ...fetchLimits, headers: { accept: "application/json" } });
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    log.info("could not fetch a client metadata document", { host, reason: error.message });
    // Omits the reason, because it would reveal our internal network.
    throw wrong(
      `Could not read the app's metadata document from ${host}. Try again, or report the problem to the app's developer.`,
    );
  }
}

/**
 * Validates a document (sections 4 and 5 of the draft). Drops redirect URIs that we would refuse,
 * instead of rejecting the document, because an app publishes one document for all authorization
 * servers and others may allow those URIs.
 */
function readDocument(url: string, { status, headers, body }: GuardedReply): ClientMetadata {
  const no = (why: string) => wrong(`The app's metadata document is not valid. ${why}.`);
  if (status !== 200) throw no("The document's URL must respond with status 200");
  if (!/^application\/([\w.-]+\+)?json *(;|$)/i.test(headers["content-type"] ?? ""))
    throw no("The Content-Type of the document must be application/json");
  try {
    const members = objectOf(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)));
    if (members.client_id !== url) throw no("client_id does not match the document's URL");
    if (Object.keys(members).some((name) => name.startsWith("client_secret")))
      throw no("The document must not contain a client secret");
    if (typeof members.client_name !== "string") throw no("client_name is missing");
    if ((members.token_endpoint_auth_method ?? "none") !== "none") throw no("token_endpoint_auth_method must be none");
    const uris = Array.isArray(members.redirect_uris) ? members.redirect_uris : [];
    const redirect_uris = uris.filter((uri) => typeof uri === "string" && !redirectProblem(uri)).slice(0, 10);
    if (redirect_uris.length === 0) throw no("redirect_uris has no valid redirect URI");
    return readClientMetadata({ ...members, redirect_uris, token_endpoint_auth_method: "none" });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof RegistrationError) throw no(error.message);
    throw no("The document is not JSON");
  }
}

/**
 * Whether an owner on another shard than the directory has a live grant for the app. A shard that is
 * away may have one.
 */
async function isConnectedElsewhere(id: string): Promise<boolean> {
  const granted = sql`SELECT FROM live_grant WHERE app_id = ${id} LIMIT 1`;
  const find = async () => (isInDirectory() ? [] : granted.rows());
  try {
    return (await inEveryShard(find)).flat().length > 0;
  } catch (error) {
    if (asAppError(error)?.status === 503) return true;
    throw error;
  }
}

/**
 * Stores the app, in one row per URL even with concurrent callers. While any owner has a live grant
 * for the app, its name does not change, because the owner accepted that name.
 */
async function keep(
  tx: Executor,
  {
    url,
    metadata: { name, redirectUris, grantTypes, echoed },
    seconds,
    connectedElsewhere,
  }: { url: string; metadata: ClientMetadata; seconds: number; connectedElsewhere: boolean },
): Promise<string> {
  const spare = seconds + spareSeconds;
  const { nameSkeleton, nameFolded } = nameSkeletons(name);
  const isLetIn = sql`(
    ${connectedElsewhere} OR EXISTS (SELECT FROM live_grant g WHERE g.app_id = app.id)
  )`;
  const kept = (await sql<{ id: string }>`
    INSERT INTO app (
      id, kind, name, name_skeleton, name_folded, redirect_uris, grant_types, client_metadata,
      metadata_url, metadata_fresh_until, metadata_good_until
    )
    VALUES (
      ${newId("app")}, 'metadata', ${name}, ${nameSkeleton}, ${nameFolded}, ${redirectUris},
      ${grantTypes}, ${JSON.stringify(echoed)}::"json", ${url},
      now() + make_interval(secs => ${seconds}::int), now() + make_interval(secs => ${spare}::int)
    )
    ON CONFLICT (metadata_url) DO UPDATE SET
      name = CASE WHEN ${isLetIn} THEN app.name ELSE excluded.name END,
      name_skeleton =
        CASE WHEN ${isLetIn} THEN app.name_skeleton ELSE excluded.name_skeleton END,
      name_folded = CASE WHEN ${isLetIn} THEN app.name_folded ELSE excluded.name_folded END,
      redirect_uris = excluded.redirect_uris, grant_types = excluded.grant_types,
      client_metadata = excluded.client_metadata,
      metadata_fresh_until = excluded.metadata_fresh_until,
      metadata_good_until = excluded.metadata_good_until
    RETURNING id`.row(tx))!;
  return kept.id;
}

/** The maximum, minimum and default number of seconds until a document's copy expires. */
const [maxSeconds, minSeconds, defaultSeconds] = [86_400, 60, 3600];

/**
 * Returns how many seconds a copy of this response stays fresh, calculated from its headers and
 * kept within our bounds (RFC 9111 section 4.2).
 */
export function freshSeconds(headers: Record<string, string | string[] | undefined>): number {
  const cacheControl = String(headers["cache-control"] ?? "").toLowerCase();
  const directive = (name: string) => new RegExp(`(?:^|[\\s,])${name}="?(\\d{1,10})`).exec(cacheControl)?.[1];
  const within = (seconds: number) => Math.min(Math.max(Math.floor(seconds), minSeconds), maxSeconds);
  if (/(?:^|[\s,])no-(?:store|cache)\b/.test(cacheControl)) return minSeconds;
  const age = Number(headers.age) || 0;
  const maxAge = directive("s-maxage") ?? directive("max-age");
  if (maxAge !== undefined) return within(Number(maxAge) - age);
  const [expires, date] = [Date.parse(String(headers.expires)), Date.parse(String(headers.date))];
  if (headers.expires !== undefined) return within(((expires || 0) - (date || clock.now())) / 1000 - age);
  return defaultSeconds;
}
