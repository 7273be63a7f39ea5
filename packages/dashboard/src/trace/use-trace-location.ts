import { useCallback, useEffect, useRef, useState } from "react";
import { omitEmpty } from "../client/search-params.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";

const DEBOUNCE_MS = 120;

/** The search parameters of the page, and a stable function that writes them. */
export interface TraceLocation {
  search: TraceSearchParams;
  onSearch: (search: TraceSearchParams, options: { isNewEntry: boolean }) => void;
}

/**
 * The selection and view of the trace page. They are component state, so that arrow keys respond at once, and are written
 * to the URL after a short delay. Back, forward and a new link set them from the URL.
 */
export function useTraceLocation({ search, onSearch }: TraceLocation) {
  const [params, setParamsState] = useState<TraceSearchParams>(search);
  const written = useRef(JSON.stringify(search));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(params);
  latest.current = params;

  const incoming = JSON.stringify(search);
  useEffect(() => {
    if (incoming === written.current) return;
    clearTimeout(timer.current);
    written.current = incoming;
    setParamsState(JSON.parse(incoming) as TraceSearchParams);
  }, [incoming]);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** `isNewEntry`: add a history entry instead of replacing the current one. */
  const setParams = useCallback(
    (change: TraceSearchParams, { isNewEntry = false }: { isNewEntry?: boolean } = {}) => {
      const next = omitEmpty({ ...latest.current, ...change });
      latest.current = next;
      setParamsState(next);
      const write = () => {
        written.current = JSON.stringify(next);
        onSearch(next, { isNewEntry });
      };
      clearTimeout(timer.current);
      if (isNewEntry) write();
      else timer.current = setTimeout(write, DEBOUNCE_MS);
    },
    [onSearch],
  );
  return { params, setParams };
}
