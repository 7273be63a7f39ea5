import { absentFields, type ParsedSpan, SPAN } from "@whytrace/contract";
import type { Random } from "@whytrace/demo";
import { AGENTS, type Agent, type AgentKind } from "./agents.ts";
import { generateCode } from "./generate-code.ts";
import { generateDocument } from "./generate-document.ts";
import { generateProse } from "./generate-prose.ts";
import { zipfWord } from "./lexicon.ts";
import { generateTopic, type Topic } from "./topic.ts";

/** The numbers of steps of 40 runs: mean 10.7, median 8.5. */
export const STEP_COUNTS = [
  4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 13,
  14, 16, 18, 20, 24, 30, 40,
] as const;
/** Has no common divisor with 40, so that any 40 traces in a row have all of these numbers, well mixed. */
const STRIDE = 17;

/** Traces in a row get different numbers of steps, any 40 of them the whole distribution. */
export const stepCount = (traceNumber: number): number =>
  STEP_COUNTS[(traceNumber * STRIDE) % STEP_COUNTS.length] ?? STEP_COUNTS[0];

interface ConversationOptions {
  kind: AgentKind;
  steps: number;
  startedAt: number;
  durationMs: number;
  status: "COMPLETED" | "RUNNING" | "ERROR";
}

interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

interface ToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/**
 * Generates the spans of an agent's run. Each model call is sent the system prompt, the tools and the whole conversation so
 * far; the tools answer with prose, code and JSON.
 */
export function generateConversation(
  random: Random,
  { kind, steps, startedAt, durationMs, status }: ConversationOptions,
): ParsedSpan[] {
  const agent = AGENTS[kind];
  const topic = generateTopic(random);
  const task = generateProse(random, topic, random.between(150, 900));
  const messages: Message[] = [
    { role: "system", content: agent.systemPrompt },
    { role: "user", content: task },
  ];
  const stepMs = durationMs / steps;
  const root: ParsedSpan = {
    ...blankSpan(random, { type: "AGENT", name: `${kind}-agent`, parentSpanId: null, startedAt }),
    ...endOf(status, startedAt, durationMs),
    input: { task },
  };
  const spans: ParsedSpan[] = [root];
  for (let step = 0; step < steps; step += 1) {
    const isLast = step === steps - 1;
    const stepStartedAt = Math.floor(startedAt + step * stepMs);
    const call = generateCall(random, agent, topic, messages, isLast);
    const end = endOf(isLast ? status : "COMPLETED", stepStartedAt, stepMs * 0.8);
    spans.push({
      ...blankSpan(random, {
        type: "LLM_CALL",
        name: "chat.completions",
        parentSpanId: root.id,
        startedAt: stepStartedAt,
      }),
      ...end,
      input: call.input,
      output: end.status === "COMPLETED" ? call.output : null,
      tokenCount: call.tokens,
      costUsd: call.tokens * 2e-6,
    });
    messages.push(call.message);
    for (const toolCall of call.message.tool_calls ?? []) {
      const result = generateResult(random, agent, topic);
      const toolStartedAt = Math.floor(stepStartedAt + stepMs * 0.8);
      spans.push({
        ...blankSpan(random, {
          type: "TOOL_CALL",
          name: toolCall.function.name,
          parentSpanId: root.id,
          startedAt: toolStartedAt,
        }),
        ...endOf("COMPLETED", toolStartedAt, stepMs * 0.2),
        input: JSON.parse(toolCall.function.arguments),
        output: result,
      });
      messages.push({
        role: "tool",
        tool_call_id: toolCall.id,
        content: typeof result === "string" ? result : JSON.stringify(result),
      });
    }
  }
  if (status === "COMPLETED") root.output = { answer: messages.at(-1)?.content ?? "" };
  return spans;
}

type SpanStart = Pick<ParsedSpan, "type" | "name" | "parentSpanId" | "startedAt">;

const blankSpan = (random: Random, start: SpanStart) => ({
  ...absentFields(SPAN),
  ...start,
  id: random.hex(16),
  metadata: { requestId: `req_${random.hex(24)}`, attempt: 1, region: "eu-west-1", worker: random.hex(8) },
});

const endOf = (status: ConversationOptions["status"], startedAt: number, durationMs: number) => ({
  status,
  statusMessage: status === "ERROR" ? "upstream answered 503 after 3 attempts" : null,
  durationMs: status === "RUNNING" ? null : durationMs,
  endedAt: status === "RUNNING" ? null : startedAt + Math.round(durationMs),
});

function generateCall(random: Random, agent: Agent, topic: Topic, messages: Message[], isLast: boolean) {
  const { model, tools } = agent;
  const input = { model, temperature: 0.2, max_tokens: 4_096, messages: [...messages], tools };
  const message: Message = isLast
    ? { role: "assistant", content: generateProse(random, topic, random.between(300, 1_500)) }
    : {
        role: "assistant",
        content: random.chance(0.4) ? null : generateProse(random, topic, random.between(60, 400)),
        tool_calls: Array.from({ length: random.chance(0.85) ? 1 : random.between(2, 3) }, () =>
          generateToolCall(random, agent, topic),
        ),
      };
  const tokens = Math.round(messages.reduce((sum, { content }) => sum + (content?.length ?? 100), 5_000) / 4);
  const output = {
    id: `chatcmpl-${random.hex(29)}`,
    model,
    choices: [{ index: 0, message, finish_reason: isLast ? "stop" : "tool_calls" }],
    usage: { prompt_tokens: tokens, completion_tokens: random.between(40, 900) },
  };
  return { input, output, message, tokens };
}

function generateToolCall(random: Random, { tools, results }: Agent, topic: Topic): ToolCall {
  const writesCode = results.some(([kind]) => kind === "code") && random.chance(0.25);
  const sent = writesCode
    ? { path: generatePath(random, topic), content: generateCode(random, topic, random.between(200, 1_500)) }
    : {
        query: generateProse(random, topic, 30),
        path: generatePath(random, topic),
        limit: random.between(1, 100),
      };
  return {
    id: `call_${random.hex(24)}`,
    type: "function",
    function: { name: random.pick(tools).function.name, arguments: JSON.stringify(sent) },
  };
}

const generatePath = (random: Random, topic: Topic) =>
  `src/${zipfWord(random)}/${random.pick(topic.words)}-${zipfWord(random)}.ts`;

function generateResult(random: Random, agent: Agent, topic: Topic): unknown {
  if (random.chance(0.03)) return `Error: ${generateProse(random, topic, 60)}`;
  const characters = Math.min(20_000, random.logNormal(900, 0.9));
  const kind = random.weighted(agent.results);
  if (kind === "json") return generateDocument(random, topic, characters);
  return kind === "code" ? generateCode(random, topic, characters) : generateProse(random, topic, characters);
}
