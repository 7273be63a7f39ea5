import { isRecord } from "../api.ts";
import type { CheckResult } from "../print/finding.ts";

const TIMEOUT_MS = 10_000;

interface Destination {
  url: string;
  headers: ReadonlyMap<string, string>;
  protocol: string;
}

/** Sends an empty request, as an exporter would, and explains the response. */
export async function checkEndpoint({ url, headers, protocol }: Destination): Promise<CheckResult> {
  const isJson = protocol === "http/json";
  let response: Response;
  try {
    response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...Object.fromEntries(headers),
        "content-type": isJson ? "application/json" : "application/x-protobuf",
      },
      // An empty message is zero bytes of protobuf.
      body: isJson ? "{}" : new Uint8Array(),
    });
  } catch (error) {
    return noResponse(url, error);
  }
  await response.body?.cancel();
  if (response.status === 200) return { status: "ok", text: `${url} accepts traces with this key` };
  const advice = ADVICE[response.status] ?? otherAdvice(response);
  return { status: "fail", text: `${url} responds with ${response.status}`, advice };
}

const ADVICE: Readonly<Record<number, string>> = {
  401: "The key is missing, mistyped or revoked. Create one under Settings > API keys.",
  403: "The key may not send traces, or a proxy in between refuses the request.",
  404: "There is no Whytrace server at this path. The endpoint is the server's URL without a path.",
  405: "There is no Whytrace server at this path. The endpoint is the server's URL without a path.",
  415: "The server does not take this content type. Set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.",
  429: "The plan's traces are used up, or too many requests were sent. Exporters try again later.",
};

function otherAdvice({ status, headers }: Response): string {
  if (status >= 300 && status < 400)
    return `Exporters do not follow redirects. Use the new address: ${headers.get("location") ?? "unknown"}.`;
  return "Look into the server's log.";
}

function noResponse(url: string, error: unknown): CheckResult {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = isRecord(cause) && typeof cause.code === "string" ? cause.code : String(cause);
  const advice = Object.entries(NO_RESPONSE).find(([known]) => code.includes(known))?.[1];
  return {
    status: "fail",
    text: `cannot connect to ${url} (${code})`,
    advice: advice ?? "Check the address, and proxies in between.",
  };
}

const NO_RESPONSE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there. Is the server running, and the port right? `whytrace dev` uses 3000.",
  ENOTFOUND: "The host name is unknown. Check its spelling.",
  EAI_AGAIN: "The host name cannot be resolved. Check the network.",
  HTTPParserError: "The other side does not speak HTTP/1.1. A port for gRPC does not work.",
  UND_ERR_SOCKET: "The other side closed the connection. A port for gRPC does not work.",
  ECONNRESET: "The other side closed the connection. A port for gRPC does not work.",
  EPIPE: "The other side closed the connection. A port for gRPC does not work.",
  CERT: "The certificate is not trusted. Set NODE_EXTRA_CA_CERTS, or OTEL_EXPORTER_OTLP_CERTIFICATE for the exporter.",
  WRONG_VERSION_NUMBER: "The server speaks http, not https.",
  Timeout: "The server did not respond within 10 s.",
};
