import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { api } from "../../client/api.ts";
import { isSample } from "../../client/base-path.ts";
import { ShareContext } from "../payload/share-context.ts";
import { Heading } from "./facts.tsx";

/** How many values of the trace were masked, as the server counted them: a text that looks like a token does not count. */
export function MaskedCounts({ traceId }: { traceId: string }) {
  const isShared = useContext(ShareContext) !== null;
  const { data } = useQuery({
    queryKey: ["trace-masking", traceId],
    enabled: !isShared && !isSample,
    queryFn: ({ signal }) => api("GET /api/traces/:id/masking", { params: { id: traceId }, signal }),
  });
  const counts = Object.entries(data?.counts ?? {});
  if (counts.length === 0) return null;
  return (
    <>
      <Heading>Masked</Heading>
      <p>{counts.map(([type, count]) => `${count.toLocaleString("en")} ${type}`).join(", ")}</p>
    </>
  );
}
