import { ClosedRequest } from "@/components/grants/closed-request";

export default function NoRequest() {
  return <ClosedRequest status={404} />;
}
