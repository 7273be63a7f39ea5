import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ApiKeyScope } from "@whytrace/contract";
import { expectStatus, type SignedInUser } from "./client.ts";

export interface McpAnswer {
  text: string;
  isError: boolean;
  /** What is outside the marks. */
  words: string;
  /** The lines between the marks, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape it expects
  data: any[];
  cursor: string | undefined;
}

export interface ConnectedMcp {
  client: Client;
  call(name: string, args?: Record<string, unknown>): Promise<McpAnswer>;
}

/** The official client with a new API key; "legacy" speaks the protocol of 2025, a date the newer one. */
export async function connectMcp(
  user: SignedInUser,
  scope: ApiKeyScope,
  protocol: "legacy" | { pin: string } = { pin: "2026-07-28" },
): Promise<ConnectedMcp> {
  const { key } = expectStatus(await user.post("/api/keys", { name: "mcp", scope }), 201).json;
  const headers = { authorization: `Bearer ${key}` };
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: protocol } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${user.url}/mcp`), { requestInit: { headers } }),
  );
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    const [first] = content;
    if (first?.type !== "text" || content.length !== 1) throw new Error("expected one text");
    return { isError, ...parseMcpAnswer(first.text) };
  };
  return { client, call };
}

/** Reads an answer as a careful client would: the first mark says which mark ends the data. */
function parseMcpAnswer(text: string): Omit<McpAnswer, "isError"> {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => /^=== DATA \S+ ===$/.test(line));
  const end = start < 0 ? -1 : lines.indexOf(lines[start]?.replace("DATA", "END OF DATA") ?? "");
  if (start >= 0 && end < start) throw new Error("the data has no end");
  const words = start < 0 ? text : [...lines.slice(0, start), ...lines.slice(end + 1)].join("\n");
  const data = start < 0 ? [] : lines.slice(start + 1, end).map((line) => JSON.parse(line));
  return { text, words, data, cursor: /call again with cursor "([^"]+)"/.exec(words)?.[1] };
}
