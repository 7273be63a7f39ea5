/*
 * What a reader of each guide of docs/opentelemetry has already: a framework, and an agent with the tools `lookup_order` and
 * `issue_refund`. The lines of the guide are put into it as they stand.
 */

export interface Reader {
  /** Of docs/opentelemetry, without its ending. */
  page: string;
  /** Which of several ways of the page. */
  way?: string;
  /** Packages of the reader's project, before it follows the guide. */
  packages: string;
  /** The page's block of commands with `npm install`, counted from 0, or the reader's own command if the page says it in words. */
  install?: number | string;
  /** The files of the project, made of the page's programs in their order. */
  files(programs: string[]): Record<string, string>;
  /** Of Node.js. */
  args?: string[];
  env?: Record<string, string>;
  /** Decisions that the page says arrive. */
  decisions: number;
}

const QUESTION = "Where is order A-1001?";
const question = `const question = ${JSON.stringify(QUESTION)};`;
const prompt = `const prompt = ${JSON.stringify(QUESTION)};`;
const messages = `const messages = [{ role: "user", content: ${JSON.stringify(QUESTION)} }];`;
const TOOL_NAMES = ["lookup_order", "issue_refund"];

/** The loop of an agent that somebody has written by hand on OpenAI's chat completions. */
const LOOP = `
export const tools = ${JSON.stringify(TOOL_NAMES)}.map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] } },
}));
export async function runLoop(openai, runTool) {
  ${messages}
  for (let turn = 0; turn < 4; turn++) {
    const { choices } = await openai.chat.completions.create({ model: "gpt-5.4-mini", messages, tools });
    const [{ message }] = choices;
    messages.push(message);
    if (!message.tool_calls) return message.content;
    for (const { id, function: { name } } of message.tool_calls)
      messages.push({ role: "tool", tool_call_id: id, content: await runTool(name) });
  }
}
`;
const loop = { "loop.mjs": LOOP };
const importLoop = 'import { runLoop, tools } from "./loop.mjs";';

/** Definitions of both tools by an expression in which NAME stands for the name. */
const bothTools = (expression: string) =>
  ["lookupOrder", "issueRefund"]
    .map(
      (variable, index) => `const ${variable} = ${expression.replaceAll("NAME", TOOL_NAMES[index] ?? "")};`,
    )
    .join("\n");

const zodOrder = "z.object({ order: z.string() })";
const importZod = 'import { z } from "zod";';
const aiSdkModel =
  'import { createOpenAI } from "@ai-sdk/openai";\nconst model = createOpenAI({})("gpt-5.4-mini");';

const openAiSpans = `
import { createRequire } from "node:module";
const { trace } = createRequire(import.meta.url)("@opentelemetry/api");
const { OpenAI } = createRequire(import.meta.url)("openai");
${importLoop}
const tracer = trace.getTracer("app");
const runTool = (name) =>
  tracer.startActiveSpan("execute_tool " + name, async (span) => {
    span.setAttributes({ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name });
    span.end();
    return "sent";
  });
`;

export const READERS: Reader[] = [
  {
    page: "ai-sdk",
    way: "version 7",
    packages: "ai@7 @ai-sdk/openai@4 zod@4",
    files: ([tracing = "", agent = ""]) => ({
      "tracing.mjs": tracing,
      "agent.mjs": `import { generateText, tool } from "ai";\n${importZod}\n${aiSdkModel}
${bothTools(`tool({ inputSchema: ${zodOrder}, execute: async () => "sent" })`)}
const tools = { lookup_order: lookupOrder, issue_refund: issueRefund };\n${prompt}\n${agent}`,
    }),
    args: ["--import", "./tracing.mjs", "agent.mjs"],
    decisions: 1,
  },
  {
    page: "ai-sdk",
    way: "version 6",
    packages: "ai@6 @ai-sdk/openai@3 zod@4",
    install: 1,
    files: ([tracing = "", , telemetry = ""]) => ({
      "tracing.mjs": tracing.replaceAll(/^.*(@ai-sdk\/otel|from "ai"|registerTelemetry).*\n/gm, ""),
      "agent.mjs": `import { generateText, tool } from "ai";\n${importZod}\n${aiSdkModel}
${bothTools(`tool({ inputSchema: ${zodOrder}, execute: async () => "sent" })`)}
const tools = { lookup_order: lookupOrder, issue_refund: issueRefund };\n${prompt}
await generateText({ model, tools, prompt, ${telemetry} });`,
    }),
    args: ["--import", "./tracing.mjs", "agent.mjs"],
    decisions: 1,
  },
  {
    page: "openai",
    packages: "",
    files: ([tracing = "", agent = ""]) => ({
      ...loop,
      "tracing.cjs": tracing,
      "agent.mjs": `${openAiSpans}const runAgent = () => runLoop(new OpenAI(), runTool);
${agent.replace("runLoop()", "runAgent()").replace("return answer;", "")}`,
    }),
    args: ["--require", "./tracing.cjs", "agent.mjs"],
    decisions: 1,
  },
  {
    page: "openinference",
    packages: "openai@6",
    files: ([tracing = "", agent = ""]) => ({
      ...loop,
      "tracing.mjs": tracing,
      "agent.mjs": `import OpenAI from "openai";\n${importLoop.replace("runLoop", "runLoop as run")}
const orders = new Map([["A-1001", "sent"]]);
const runLoop = () => run(new OpenAI(), () => lookupOrder("A-1001"));\n${agent}`,
    }),
    args: ["--import", "./tracing.mjs", "agent.mjs"],
    decisions: 1,
  },
  {
    page: "openllmetry",
    packages: "",
    files: ([agent = ""]) => ({
      ...loop,
      "agent.cjs": agent.replace(
        /^.*lookupOrder\("A-1001"\)\);\n.*\/\/ model calls here$/m,
        `const { OpenAI } = require("openai");
        const lookupOrder = async () => "sent";
        const { runLoop } = await import("./loop.mjs");
        await runLoop(new OpenAI(), (name) => traceloop.withTool({ name }, () => lookupOrder("A-1001")));`,
      ),
    }),
    args: ["agent.cjs"],
    decisions: 1,
  },
  {
    page: "anthropic",
    packages: "",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
const inputSchema = { type: "object", properties: { order: { type: "string" } } };
${bothTools('betaTool({ name: "NAME", description: "NAME", inputSchema, run: () => "sent" })')}
const tools = [lookupOrder, issueRefund];\nconst model = "claude-sonnet-5-5";\n${messages}\n${agent}`,
    }),
    decisions: 1,
  },
  {
    page: "claude-agent-sdk",
    way: "its own traces",
    packages: "zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { createSdkMcpServer, tool } from "@anthropic-ai/claude-agent-sdk";\n${importZod}
${bothTools('tool("NAME", "NAME", { order: z.string() }, async () => ({ content: [{ type: "text", text: "sent" }] }))')}
const mcpServers = { orders: createSdkMcpServer({ name: "orders", tools: [lookupOrder, issueRefund] }) };
const allowedTools = ["mcp__orders__lookup_order"];\n${agent}`,
    }),
    // The stand-in does not load tools first.
    env: { ENABLE_TOOL_SEARCH: "false" },
    decisions: 1,
  },
  {
    page: "claude-agent-sdk",
    way: "OpenInference",
    packages: "zod@4 @anthropic-ai/claude-agent-sdk@0.3",
    install: 1,
    files: ([, agent = ""]) => ({
      "agent.mjs": agent.replace(
        "// after the last query",
        `for await (const message of query({ prompt: ${JSON.stringify(QUESTION)} })) console.log(message.type);`,
      ),
    }),
    decisions: 0,
  },
  {
    page: "langchain",
    way: "OpenInference",
    packages: "langchain@1 @langchain/core@1 @langchain/openai@1 zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { ChatOpenAI } from "@langchain/openai";\nimport { createAgent, tool } from "langchain";\n${importZod}
const model = new ChatOpenAI({ model: "gpt-5.4-mini" });
${bothTools(`tool(() => "sent", { name: "NAME", description: "NAME", schema: ${zodOrder} })`)}
const tools = [lookupOrder, issueRefund];\n${messages}\n${agent}`,
    }),
    decisions: 1,
  },
  {
    page: "langchain",
    way: "LangSmith",
    packages: "openai@6",
    install: 1,
    files: ([, agent = ""]) => ({
      ...loop,
      "agent.mjs": `import { wrapOpenAI } from "langsmith/wrappers";\nimport OpenAI from "openai";\n${importLoop}
const run = () => runLoop(wrapOpenAI(new OpenAI(), { client }), (name) => traceable(() => "sent", { client, name, run_type: "tool" })());
${agent}`,
    }),
    decisions: 1,
  },
  {
    page: "openai-agents",
    packages: "@openai/agents@0.20 zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `${importZod}\nimport { tool } from "@openai/agents";
${bothTools(`tool({ name: "NAME", description: "NAME", parameters: ${zodOrder}, execute: async () => "sent" })`)}
${agent}`,
    }),
    decisions: 2,
  },
  {
    page: "mastra",
    packages: "@mastra/core@1 @ai-sdk/openai@4 zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { Agent } from "@mastra/core/agent";\nimport { createTool } from "@mastra/core/tools";\n${importZod}\n${aiSdkModel}
${bothTools(`createTool({ id: "NAME", description: "NAME", inputSchema: ${zodOrder}, execute: async () => ({ state: "sent" }) })`)}
const tools = { lookup_order: lookupOrder, issue_refund: issueRefund };
const supportAgent = new Agent({ id: "support", name: "support_agent", instructions: "Help.", model, tools });
${question}\n${agent}`,
    }),
    env: { MASTRA_TELEMETRY_DISABLED: "1" },
    decisions: 1,
  },
  {
    page: "langfuse",
    packages: "openai@6",
    files: ([agent = ""]) => ({
      ...loop,
      "agent.mjs": `import OpenAI from "openai";\n${importLoop}
const run = (openai) => runLoop(openai, (name) => startActiveObservation(name, async () => "sent", { asType: "tool" }));
${agent}`,
    }),
    env: { LANGFUSE_PUBLIC_KEY: "any", LANGFUSE_SECRET_KEY: "any" },
    decisions: 1,
  },
  {
    page: "genkit",
    packages: "genkit@1.42.0 @genkit-ai/google-genai@1.42.0",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { googleAI as plugin } from "@genkit-ai/google-genai";\nimport { z } from "genkit";
const googleAI = () => plugin({ apiKey: "none", baseUrl: process.env.GOOGLE_GEMINI_BASE_URL });
const model = plugin.model("gemini-2.5-flash");
${agent.replace(
  /^const ai = .*$/m,
  (line) => `${line}
${bothTools(`ai.defineTool({ name: "NAME", description: "NAME", inputSchema: ${zodOrder} }, async () => "sent")`)}`,
)}`,
    }),
    decisions: 1,
  },
  {
    page: "google-adk",
    packages: "@google/adk@2 zod@4",
    files: ([tracing = "", agent = ""]) => ({
      "tracing.js": tracing,
      "agent.mjs": `${agent.replace(
        /^const agent = /m,
        `const [userId, sessionId, show] = ["ada", "conv-1", () => {}];
const newMessage = { role: "user", parts: [{ text: ${JSON.stringify(QUESTION)} }] };
${bothTools(`new FunctionTool({ name: "NAME", description: "NAME", parameters: ${zodOrder}, execute: async () => "sent" })`)}
const agent = `,
      )}\nimport { FunctionTool } from "@google/adk";\n${importZod}`,
    }),
    decisions: 1,
  },
  {
    page: "strands",
    packages: "@strands-agents/sdk@1 openai@6 zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { tool } from "@strands-agents/sdk";\nimport { OpenAIModel } from "@strands-agents/sdk/models/openai";\n${importZod}
const model = new OpenAIModel({ modelId: "gpt-5.4-mini", api: "chat" });
${bothTools(`tool({ name: "NAME", description: "NAME", inputSchema: ${zodOrder}, callback: () => "sent" })`)}
${agent}`,
    }),
    decisions: 1,
  },
  {
    page: "openlit",
    packages: "openai@6",
    files: ([agent = ""]) => ({
      ...loop,
      "agent.mjs": `${importLoop}\nconst run = () => runLoop(new OpenAI(), async () => "sent");\n${agent}`,
    }),
    decisions: 1,
  },
  {
    page: "voltagent",
    packages: "@ai-sdk/openai@3 ai@6 zod@4",
    files: ([agent = ""]) => ({
      "agent.mjs": `import { createTool } from "@voltagent/core";\n${importZod}\n${aiSdkModel}
${bothTools(`createTool({ name: "NAME", description: "NAME", parameters: ${zodOrder}, execute: async () => "sent" })`)}
${agent}\nprocess.exit();`,
    }),
    // Reading memory; it does not say which call chose a tool.
    decisions: 1,
  },
  {
    page: "agent365",
    packages: "",
    files: ([tracing = "", agent = ""]) => ({
      "tracing.js": tracing,
      "agent.mjs": `${question}\nconst tenantId = "acme";\nconst lookupOrder = async () => "sent";\n${agent}`,
    }),
    decisions: 1,
  },
];
