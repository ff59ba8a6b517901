import { DeviceTooOld } from "@/components/grants/closed";

export default function NoRequest() {
  return <DeviceTooOld />;
}
