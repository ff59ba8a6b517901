import { DeviceTooOld } from "@/components/grants/device-closed";

export default function NoRequest() {
  return <DeviceTooOld />;
}
