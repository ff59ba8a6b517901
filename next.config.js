import { readFileSync } from "node:fs";

/** @type {import("next/dist/lib/load-custom-routes").RouteHas} */
const prefersMarkdown = { type: "header", key: "accept", value: ".*text/markdown.*" };

/**
 * Packages without a version in their name: the newest of each (`npm run derive` writes the list).
 * @type {Record<string, string>}
 */
const latest = JSON.parse(readFileSync(new URL("public/client/latest.json", import.meta.url), "utf8"));

/**
 * Packages of a version that is not released yet, which can still change.
 * @type {string[]}
 */
const unreleased = JSON.parse(readFileSync(new URL("public/client/unreleased.json", import.meta.url), "utf8"));

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Lets several builds of one checkout exist side by side.
  distDir: process.env.NEXT_DIST_DIR || ".next",
  // The service's own code shares one pg pool and one Prisma client with server.ts, so these stay
  // plain Node modules.
  serverExternalPackages: ["pg", "@prisma/client", "@prisma/adapter-pg", "web-push"],
  rewrites: async () => [
    // The lens as a page. The file's own address downloads it.
    { source: "/lens", destination: "/lens/countersign-lens.html" },
    // Every page of the documentation as Markdown: by name, or for clients that prefer Markdown.
    { source: "/docs.md", destination: "/docs/text/quick-start" },
    { source: "/docs/:page([a-z-]+).md", destination: "/docs/text/:page" },
    { source: "/docs", has: [prefersMarkdown], destination: "/docs/text/quick-start" },
    { source: "/docs/:page([a-z-]+)", has: [prefersMarkdown], destination: "/docs/text/:page" },
    // Each approval has its own URL but the inbox renders it, so that moving between approvals
    // reloads nothing.
    { source: "/approvals/:open(apr_[0-9a-v]{32})", destination: "/approvals?open=:open" },
    { source: "/notifications/:open(ntf_[0-9a-v]{32})", destination: "/notifications?open=:open" },
    ...Object.entries(latest).map(([name, versioned]) => ({
      source: `/client/${name}`,
      destination: `/client/${versioned}`,
    })),
    // Fallback paths of MCP clients that could not read our metadata.
    { source: "/authorize", destination: "/oauth/authorize" },
    { source: "/token", destination: "/oauth/token" },
    { source: "/register", destination: "/oauth/register" },
  ],
  // No page has images to resize, so none need decoding here.
  images: { unoptimized: true },
  // Loaded again for every unread count, but changed only with the product.
  headers: async () => [
    { source: "/favicon/:file", headers: [{ key: "cache-control", value: "public, max-age=86400" }] },
    // Proxies must not change the lens, because owners compare its hash.
    { source: "/lens/:file*", headers: [{ key: "cache-control", value: "public, no-cache, no-transform" }] },
    {
      source: "/lens/:file",
      headers: [{ key: "content-disposition", value: 'attachment; filename="countersign-lens.html"' }],
    },
    {
      source: "/client/:file(countersign(?:-go|_client)?-[0-9].*)",
      headers: [{ key: "cache-control", value: "public, max-age=31536000, immutable" }],
    },
    // Overrides the rule above.
    ...unreleased
      .flatMap((name) => [name, `${name}.sha256`])
      .map((name) => ({
        source: `/client/${name}`,
        headers: [{ key: "cache-control", value: "public, no-cache" }],
      })),
    ...Object.entries(latest).map(([name, versioned]) => ({
      source: `/client/${name}`,
      headers: [
        { key: "content-disposition", value: `attachment; filename="${versioned}"` },
        { key: "link", value: `</client/${versioned}>; rel="canonical"` },
      ],
    })),
  ],
  // `npm test` checks types. A build on an operator's machine does not, because the tests' packages
  // are missing there.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    root: import.meta.dirname,
    // Browsers load Next's client on every page, and these modules of it carry much that is unused.
    resolveAlias: {
      "../../../lib/constants": { browser: "./components/layout/next-shims/constants.ts" },
      "../../../../lib/constants": { browser: "./components/layout/next-shims/constants.ts" },
      "../build/polyfills/polyfill-module": { browser: "./components/layout/next-shims/polyfills.ts" },
      "next/dist/compiled/process": { browser: "./components/layout/next-shims/process.ts" },
    },
  },
  experimental: {
    // Load each page at its first visit. Loading all at startup would delay the first caller for
    // pages that few visit.
    preloadEntriesOnStart: false,
    // Bytes before minification. Modules that are always used together are one file, which
    // compresses better. React and Next are a single file too.
    turbopackChunking: { minChunkSize: 2_000_000, maxMergeChunkSize: 3_000_000 },
    turbopackCjsTreeShaking: true,
    // No one reads the source maps of a build, 40 MB (lib/cli/start-service.mjs).
    turbopackSourceMaps: process.env.NODE_ENV === "development",
    // CI builds once, so writing a cache of 128 MB would only take time.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
};
