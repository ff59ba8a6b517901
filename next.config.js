/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Several builds of one checkout, side by side.
  distDir: process.env.NEXT_DIST_DIR || ".next",
  // The service's own code shares one pg pool and one Prisma client with server.ts, so these stay plain Node modules.
  serverExternalPackages: ["pg", "@prisma/client", "@prisma/adapter-pg"],
  turbopack: { root: import.meta.dirname },
};
