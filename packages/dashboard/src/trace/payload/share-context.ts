import { createContext, useContext } from "react";
import { apiUrl } from "../../client/base-path.ts";

/** The link with which a trace is read. Null on the page of the trace's owner. */
export interface SharedSource {
  token: string;
  hasPayloads: boolean;
  hasWhy: boolean;
}

export const ShareContext = createContext<SharedSource | null>(null);

/** The URLs of a trace and its records: the owner's, or those of the link. */
export function useTraceUrls(traceId: string) {
  const share = useContext(ShareContext);
  const trace = share
    ? `/api/shared/${encodeURIComponent(share.token)}`
    : apiUrl(`/api/traces/${encodeURIComponent(traceId)}`);
  return {
    trace,
    span: (id: string) => `${trace}/spans/${encodeURIComponent(id)}`,
    decision: (id: string) => `${trace}/decision-points/${encodeURIComponent(id)}`,
    event: (id: string) => `${trace}/events/${encodeURIComponent(id)}`,
  };
}

/** Whether payloads can be read. A link may leave them out. */
export const useHasPayloads = () => useContext(ShareContext)?.hasPayloads ?? true;
