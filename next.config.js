/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // The service's own code shares one pg pool and one Prisma client with server.ts, so these stay plain Node modules.
  serverExternalPackages: ["pg", "@prisma/client", "@prisma/adapter-pg"],
  turbopack: { root: import.meta.dirname },
};
