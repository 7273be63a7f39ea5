interface OtlpResponse {
  status: number;
  /** Empty if all spans were stored. */
  body: Buffer;
}

/** A server that never responds must not block a trial. */
const RESPONSE_TIMEOUT_MS = 60_000;

/** Sends spans in protobuf, as exporters do. */
export async function postOtlp(serverUrl: string, key: string, body: Buffer): Promise<OtlpResponse> {
  const response = await fetch(`${serverUrl}/v1/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-protobuf" },
    body,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
