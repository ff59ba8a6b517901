import { ClosedRequest } from "@/components/grants/request-closed";

export default function NoRequest() {
  return <ClosedRequest status={404} />;
}
