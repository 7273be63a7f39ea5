import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useEffect, useRef, useState } from "react";
import { omitEmpty } from "../client/search-params.ts";
import type { TraceSearchParams } from "./model/trace-search-params.ts";

const route = getRouteApi("/signed-in/traces/$id");
const PAUSE_MS = 120;

/**
 * Where one is in a trace. It is kept here, so that arrow keys are quick, and written to the address once one pauses;
 * back, forward and a pasted link bring it from the address.
 */
export function useTraceLocation() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [place, setPlace] = useState<TraceSearchParams>(search);
  const written = useRef(JSON.stringify(search));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(place);
  latest.current = place;

  const incoming = JSON.stringify(search);
  useEffect(() => {
    if (incoming === written.current) return;
    clearTimeout(timer.current);
    written.current = incoming;
    setPlace(JSON.parse(incoming) as TraceSearchParams);
  }, [incoming]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const go = useCallback(
    (change: TraceSearchParams, { isStep = false }: { isStep?: boolean } = {}) => {
      const next = omitEmpty({ ...latest.current, ...change });
      latest.current = next;
      setPlace(next);
      const write = () => {
        written.current = JSON.stringify(next);
        void navigate({ search: next, replace: !isStep, resetScroll: false });
      };
      clearTimeout(timer.current);
      if (isStep) write();
      else timer.current = setTimeout(write, PAUSE_MS);
    },
    [navigate],
  );
  return { place, go };
}
