/** The only one of Next's constants that its client uses (see next.config.js). */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = "x-nextjs-deployment-id";
