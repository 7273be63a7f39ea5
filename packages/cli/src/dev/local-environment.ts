interface LocalServer {
  databaseUrl: string;
  port: number;
  /** The address that a browser opens. */
  publicUrl: string;
  isVerbose: boolean;
  /** Networks that are not public and that channels may use. */
  allowedNetworks: string | undefined;
}

/** The environment variables of a server that only this machine uses: without limits. */
export const localEnvironment = ({
  databaseUrl,
  port,
  publicUrl,
  isVerbose,
  allowedNetworks,
}: LocalServer) => ({
  DATABASE_URL: databaseUrl,
  HOST: "127.0.0.1",
  PORT: String(port),
  PUBLIC_URL: publicUrl,
  ALLOWED_ORIGINS: `http://127.0.0.1:${port}`,
  FREE_SESSIONS_PER_DAY: "unlimited",
  RATE_LIMIT_LOGIN: "1000/1m",
  RATE_LIMIT_REGISTER: "1000/1m",
  INGEST_REQUESTS_PER_MINUTE: "unlimited",
  INGEST_MIB_PER_MINUTE: "unlimited",
  READ_REQUESTS_PER_MINUTE: "unlimited",
  READ_MIB_PER_MINUTE: "unlimited",
  READ_SECONDS_PER_MINUTE: "unlimited",
  ...(allowedNetworks !== undefined && { WEBHOOK_ALLOWED_NETWORKS: allowedNetworks }),
  LOG_LEVEL: isVerbose ? "info" : "error",
});
