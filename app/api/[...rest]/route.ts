import { dress } from "@/lib/api/endpoint";
import { unknownPath } from "@/lib/api/refusals";
import { toResponse } from "@/lib/api/route";

const notFound = async () => toResponse(dress(unknownPath()));

export {
  notFound as DELETE,
  notFound as GET,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
};
