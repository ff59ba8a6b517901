import type { MetadataRoute } from "next";

/** The W3C Web Application Manifest, which makes the service installable. */
export default function manifest(): MetadataRoute.Manifest {
  const icon = (name: string, size: number, purpose: "any" | "maskable" = "any") => ({
    src: `/icons/${name}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  return {
    id: "/",
    name: "Countersign",
    short_name: "Countersign",
    description: "Answer your apps’ questions.",
    lang: "en",
    dir: "ltr",
    start_url: "/approvals",
    scope: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: "#0e5c40",
    categories: ["productivity", "security"],
    icons: [icon("icon-192", 192), icon("icon-512", 512), icon("maskable-512", 512, "maskable")],
    shortcuts: [
      { name: "Approvals", url: "/approvals", icons: [icon("icon-192", 192)] },
      { name: "Notifications", url: "/notifications", icons: [icon("icon-192", 192)] },
    ],
  };
}
