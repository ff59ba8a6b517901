import { type IconProps, Line } from "@/components/ui/icons";

/** The usual line icons, smaller. */
const Small = ({ className = "size-4", d }: IconProps & { d: string }) => <Line className={className} d={d} />;

export const SnoozeIcon = (props: IconProps) => (
  <Small {...props} d="M10 6.5V10l2.5 1.5M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14Z" />
);
export const MuteIcon = (props: IconProps) => (
  <Small
    {...props}
    d="M5 9.5v-1a5 5 0 0 1 8.6-3.4M15 9c.1 3.6 1.5 4.5 1.5 4.5H7M8.3 16.3a1.8 1.8 0 0 0 3.4 0M3 17 17 3"
  />
);
export const LinkIcon = (props: IconProps) => (
  <Small {...props} d="M11.5 3.5h5v5M16.5 3.5l-7 7M8.5 5.5h-4a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-4" />
);
export const BackIcon = (props: IconProps) => <Small {...props} d="M8 4 4 8l4 4M4 8h7.5a4.5 4.5 0 0 1 0 9H8" />;
/** An envelope, open or closed. */
export const ReadIcon = ({ read, ...props }: IconProps & { read: boolean }) => (
  <Small
    {...props}
    d={
      read
        ? "M3.5 8.5 10 4l6.5 4.5v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7ZM3.5 9l6.5 4 6.5-4"
        : "M4.5 5h11a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM3.5 6.5l6.5 4.5 6.5-4.5"
    }
  />
);
