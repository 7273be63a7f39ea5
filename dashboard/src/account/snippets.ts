import { INSTALL_SDK } from "@whytrace/contract";

const SDK = "@whytrace/sdk";

/** For a shell: installs the SDK, writes a program and runs it. */
const sdkSnippet = (origin: string, key: string) => `${INSTALL_SDK}
cat > first-trace.mjs <<'END'
import { decide, init, span, trace } from "${SDK}";
init({
  url: "${origin}",
  apiKey: "${key}",
});
await trace("my first agent", async () => {
  const tool = await decide("TOOL_SELECTION", {
    options: ["search_docs", "ask_human", "answer_directly"],
    chosen: "search_docs",
    reasoning: "The question is about policy, and the documents hold it.",
  });
  await span(tool, { type: "TOOL_CALL" }, () => ["policy.md"]);
});
END
node first-trace.mjs`;

/** The example trace as a request body. Every snippet runs as it is, without edits. */
const body = (id: string, now: string) => `{"traces":[{
  "id":"${id}","name":"my first agent","status":"COMPLETED","tags":["first"],
  "startedAt":"${now}","totalDuration":1840,"totalCost":0.0042,
  "spans":[{"id":"s1","name":"search docs","type":"TOOL_CALL","status":"COMPLETED",
    "startedAt":"${now}","durationMs":640,"input":{"q":"refund policy"},"output":["policy.md"]}],
  "decisionPoints":[{"id":"d1","type":"TOOL_SELECTION","parentSpanId":"s1","timestamp":"${now}",
    "chosen":"search_docs","alternatives":["ask_human","answer_directly"],
    "reasoning":"The question is about policy, and the documents hold it."}],
  "events":[]}]}`;

export interface Snippet {
  label: string;
  text: string;
}

export function snippets(origin: string, key: string, id: string, now: string): Snippet[] {
  const json = body(id, now);
  return [
    { label: "SDK", text: sdkSnippet(origin, key) },
    {
      label: "curl",
      text: `curl ${origin}/api/traces \\\n  -H 'authorization: Bearer ${key}' \\\n  -d '${json}'`,
    },
    {
      label: "Python",
      text: `import urllib.request

body = '''${json}'''
request = urllib.request.Request("${origin}/api/traces", body.encode(),
                                 {"authorization": "Bearer ${key}"})
print(urllib.request.urlopen(request).read().decode())`,
    },
    {
      label: "TypeScript",
      text: `const body = \`${json}\`;
const response = await fetch("${origin}/api/traces", {
  method: "POST",
  headers: { authorization: "Bearer ${key}" },
  body,
});
console.log(await response.text());`,
    },
  ];
}
