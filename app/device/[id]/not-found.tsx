import { DeviceTooOld } from "@/components/grants/request-closed";

export default function NoRequest() {
  return <DeviceTooOld />;
}
