import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { FlashProvider } from "@/components/actions/flash-context";
import { FormatsProvider } from "@/components/ui/time/date-formats-provider";
import { readAppearance } from "@/lib/web/appearance";
import { readFlash } from "@/lib/web/flash";
import { readFormats } from "@/lib/web/reader-date-formats";
import "./globals.css";

const geist = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-geist",
  display: "swap",
});

export const metadata: Metadata = {
  title: { default: "Countersign", template: "%s · Countersign" },
  description: "Your apps ask before they act. You decide.",
  icons: { icon: { url: "/favicon/0.svg", type: "image/svg+xml" }, apple: "/icons/apple-touch-icon.png" },
  appleWebApp: { capable: true, title: "Countersign", statusBarStyle: "default" },
  robots: { index: false, follow: false },
  // Keeps browsers from turning addresses and numbers in app text into links.
  formatDetection: { telephone: false, address: false, email: false },
};

const bars = { light: "#ffffff", dark: "#101211" };

export async function generateViewport(): Promise<Viewport> {
  const { theme } = await readAppearance();
  return {
    colorScheme: theme === "system" ? "light dark" : theme,
    themeColor:
      theme === "system"
        ? [
            { media: "(prefers-color-scheme: light)", color: bars.light },
            { media: "(prefers-color-scheme: dark)", color: bars.dark },
          ]
        : bars[theme],
    viewportFit: "cover",
  };
}

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  // Reading the request makes every page dynamic. Next.js can then add the CSP nonce to the page's
  // scripts.
  const { theme, density, motion } = await readAppearance();
  return (
    <html lang="en" className={geist.variable} data-theme={theme} data-density={density} data-motion={motion}>
      <body>
        <FormatsProvider formats={await readFormats()}>
          <FlashProvider flash={await readFlash()}>{children}</FlashProvider>
        </FormatsProvider>
      </body>
    </html>
  );
}
