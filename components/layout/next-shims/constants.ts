/** The only constant of Next.js that its client uses (see next.config.js). */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = "x-nextjs-deployment-id";
