import { ClosedRequest } from "@/components/grants/closed";

export default function NoRequest() {
  return <ClosedRequest status={404} />;
}
