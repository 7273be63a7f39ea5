const PREFIX = /^(?:release|version):\s*(\S.*)$/i;
/** "v2.3", "2.3.1", "v2.3.1-rc1"; not "2.3", which may be any number. */
const VERSION = /^(?:v\d+(?:\.\d+){1,3}|\d+(?:\.\d+){2})(?:[-+][0-9a-z.+-]+)?$/i;

export interface ReleasedTrace {
  tags: readonly string[];
  /** The version of the service that the trace came from by OpenTelemetry. */
  serviceVersion?: string | null;
}

/**
 * The version of the agent that a trace's tags say: "release:…" or "version:…", or else a tag that looks like a version. Without
 * such a tag it is the version of the service.
 */
export function releaseOf({ tags, serviceVersion }: ReleasedTrace): string | null {
  for (const tag of tags) {
    const release = PREFIX.exec(tag)?.[1];
    if (release !== undefined) return release.trim();
  }
  return tags.find((tag) => VERSION.test(tag)) ?? serviceVersion ?? null;
}
