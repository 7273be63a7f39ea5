import type { StoredResolution } from "./stored-issue.ts";

/** A run that was counted after a resolution. */
export interface CountedRun {
  startedAt: string;
  releaseHash: number | null;
  /** Counts and regresses nothing: it was imported, or a definition changed. */
  isQuiet: boolean;
}

/** The order of an agent's releases: the version at which one was first seen; undefined if it was not. */
type ReleaseOrder = (releaseHash: number) => number | undefined;

/**
 * Whether a run shows that the fix is not in it. Releases are ordered by first sight alone, so neither clocks of senders nor names of
 * versions decide. A run without a release breaks only what was resolved now.
 */
export function breaksResolution(
  { isQuiet, startedAt, releaseHash }: CountedRun,
  resolution: Pick<StoredResolution, "in" | "at" | "version" | "exceptReleases"> & {
    /** Of the release in which it was resolved. */
    releaseHash: number | null;
  },
  orderOf: ReleaseOrder,
): boolean {
  if (isQuiet) return false;
  if (resolution.in === "now") return Date.parse(startedAt) > Date.parse(resolution.at);
  if (releaseHash === null || resolution.exceptReleases.includes(releaseHash)) return false;
  const seen = orderOf(releaseHash) ?? 0;
  if (resolution.in === "next") return seen > resolution.version;
  if (resolution.releaseHash === null) return false;
  if (releaseHash === resolution.releaseHash) return true;
  const fixed = orderOf(resolution.releaseHash);
  return fixed !== undefined && seen > fixed;
}
