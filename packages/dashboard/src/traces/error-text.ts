import type { TracePreview } from "@whytrace/contract";

/** The error of a trace in one line. */
export const errorText = ({ error }: Pick<TracePreview, "error">): string | null =>
  error && (error.message ? `${error.name}: ${error.message}` : error.name);
