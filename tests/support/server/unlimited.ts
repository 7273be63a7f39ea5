/**
 * The environment of a server without rate limits. A test of a limit sets its own. If the tests run on a Citus cluster, the
 * server knows it.
 */
export const UNLIMITED: Record<string, string> = {
  ...(process.env.TEST_SHARDING && { SHARDING: process.env.TEST_SHARDING }),
  RATE_LIMIT_LOGIN: "100000/15m",
  RATE_LIMIT_REGISTER: "100000/1h",
  RATE_LIMIT_FORGOT_PASSWORD: "100000/1h",
  RATE_LIMIT_RESET_PASSWORD: "100000/1h",
  RATE_LIMIT_SECOND_FACTOR: "100000/1h",
  RATE_LIMIT_INVITE: "100000/1h",
  INGEST_REQUESTS_PER_MINUTE: "unlimited",
  INGEST_MIB_PER_MINUTE: "unlimited",
  READ_REQUESTS_PER_MINUTE: "unlimited",
  READ_MIB_PER_MINUTE: "unlimited",
  READ_SECONDS_PER_MINUTE: "unlimited",
};

/** An empty variable counts as absent, so the server's own limits apply to what users send and read. */
export const DEFAULT_LIMITS = {
  INGEST_REQUESTS_PER_MINUTE: "",
  INGEST_MIB_PER_MINUTE: "",
  READ_REQUESTS_PER_MINUTE: "",
  READ_MIB_PER_MINUTE: "",
  READ_SECONDS_PER_MINUTE: "",
};
