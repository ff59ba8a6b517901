import { readFileSync } from "node:fs";

/** @type {import("next/dist/lib/load-custom-routes").RouteHas} */
const prefersMarkdown = { type: "header", key: "accept", value: ".*text/markdown.*" };

/**
 * Packages without a version in their names: the newest of each (`npm run derive` writes the list).
 * @type {Record<string, string>}
 */
const latest = JSON.parse(readFileSync(new URL("public/client/latest.json", import.meta.url), "utf8"));

/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Several builds of one checkout, side by side.
  distDir: process.env.NEXT_DIST_DIR || ".next",
  // The service's own code shares one pg pool and one Prisma client with server.ts, so these stay plain Node modules.
  serverExternalPackages: ["pg", "@prisma/client", "@prisma/adapter-pg", "web-push"],
  rewrites: async () => [
    // Every page of the documentation as Markdown, by its name or for who prefers that.
    { source: "/docs.md", destination: "/docs/text/quick-start" },
    { source: "/docs/:page([a-z-]+).md", destination: "/docs/text/:page" },
    { source: "/docs", has: [prefersMarkdown], destination: "/docs/text/quick-start" },
    { source: "/docs/:page([a-z-]+)", has: [prefersMarkdown], destination: "/docs/text/:page" },
    // One decision has its own address; the inbox answers to it, so that going from one to the next remakes nothing.
    { source: "/approvals/:open(apr_[0-9a-v]{32})", destination: "/approvals?open=:open" },
    { source: "/notifications/:open(ntf_[0-9a-v]{32})", destination: "/notifications?open=:open" },
    ...Object.entries(latest).map(([name, versioned]) => ({
      source: `/client/${name}`,
      destination: `/client/${versioned}`,
    })),
    // Where MCP clients look that could not read our metadata.
    { source: "/authorize", destination: "/oauth/authorize" },
    { source: "/token", destination: "/oauth/token" },
    { source: "/register", destination: "/oauth/register" },
  ],
  // None of our pages has pictures to resize, and nothing else has to be decoded here.
  images: { unoptimized: true },
  // Shown anew with every count; they change only with the product.
  headers: async () => [
    { source: "/favicon/:file", headers: [{ key: "cache-control", value: "public, max-age=86400" }] },
    {
      source: "/client/:file(countersign-(?:go-)?[0-9].*)",
      headers: [{ key: "cache-control", value: "public, max-age=31536000, immutable" }],
    },
    ...Object.entries(latest).map(([name, versioned]) => ({
      source: `/client/${name}`,
      headers: [
        { key: "content-disposition", value: `attachment; filename="${versioned}"` },
        { key: "link", value: `</client/${versioned}>; rel="canonical"` },
      ],
    })),
  ],
  // `npm test` checks types. A build on an operator's machine does not, where what the tests import is not installed.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: import.meta.dirname },
  experimental: {
    // Each page is read at its first visit: all of them at the start keep whoever calls first waiting for what few look at.
    preloadEntriesOnStart: false,
    // In bytes before anything is made smaller: what only goes together is one file, which compresses better than its parts.
    turbopackChunking: { minChunkSize: 400_000 },
    // Maps of what is built, 40 MB, are read by nobody (lib/cli/start.mjs).
    turbopackSourceMaps: process.env.NODE_ENV === "development",
    // Continuous integration builds once: what would be kept for the next time, 128 MB, takes time to write.
    turbopackFileSystemCacheForBuild: !process.env.CI,
  },
};
