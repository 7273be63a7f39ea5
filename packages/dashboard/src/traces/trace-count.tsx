import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { omitEmpty } from "../client/search-params.ts";
import { paths } from "../paths.ts";
import type { TracesSearch } from "./filters/traces-search.ts";

export type CountedTraces = Pick<
  TracesSearch,
  | "agent"
  | "release"
  | "step"
  | "stepOutcome"
  | "after"
  | "fingerprint"
  | "sessionId"
  | "status"
  | "outcome"
  | "lens"
  | "unasked"
  | "scoreName"
  | "scoreIs"
  | "scoreBelow"
  | "scoreMissing"
  | "scoreAsked"
  | "decided"
  | "about"
  | "startedFrom"
  | "startedTo"
>;

interface TraceCountProps {
  /** Exactly the traces that are counted. Its time range is the one that the server says it counted. */
  traces: CountedTraces;
  /** Says what is counted, if the text alone does not. */
  label?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** A number that links to the list of the traces that it counts. */
export function TraceCount({ traces, label, className = "hover:underline", children }: TraceCountProps) {
  return (
    <Link to={paths.traces} search={omitEmpty(traces)} aria-label={label} className={className}>
      {children}
    </Link>
  );
}
