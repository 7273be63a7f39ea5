import { z } from "zod";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { findUnstorable } from "../http/request/validate-request.ts";
import { validationMessage } from "../http/request/validation-message.ts";
import type { RunLearner } from "../insights/blame/run-learner.ts";
import type { DaysReader } from "../insights/days/days-reader.ts";
import type { FindingsReader } from "../insights/findings/serve/findings-reader.ts";
import type { Live } from "../live/live.ts";
import type { Maskings } from "../masking/maskings.ts";
import type { Searches } from "../search/searches.ts";
import type { ScoreStore } from "../trace-store/scores/score-store.ts";
import type { Answer } from "./answer.ts";

/** What tools work with. */
export interface ToolResources {
  reads: FairDatabase;
  writes: FairDatabase;
  maskings: Maskings;
  budget: ReadBudget;
  days: DaysReader;
  findings: FindingsReader;
  learner: RunLearner;
  searches: Searches;
  scores: ScoreStore;
  live: Live;
  /** Where members are. */
  db: Database;
  /** The origin of the pages. */
  publicUrl: string;
}

export interface ToolCall extends ToolResources {
  /** Where the pages of the workspace are. */
  publicUrl: string;
  workspaceId: WorkspaceId;
  /** Undefined for a key. */
  userId: UserId | undefined;
  /** What the assistant calls itself. */
  clientName: string;
  /** Aborted if the client has left. */
  signal: AbortSignal;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Whether it changes something, for which a key needs the scope review. */
  isWriting?: boolean;
  /** JSON Schema. */
  inputSchema: { type: "object" };
  call(call: ToolCall, input: unknown): Promise<Answer>;
}

interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  isWriting?: boolean;
  input: Input;
  run(call: ToolCall, input: z.output<Input>): Promise<Answer>;
}

export function defineTool<Input extends z.ZodObject>({
  input: schema,
  run,
  ...described
}: ToolDefinition<Input>): Tool {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  return {
    ...described,
    inputSchema: { ...inputSchema, type: "object" },
    call: (call, input) => {
      const parsed = schema.safeParse(input ?? {});
      if (!parsed.success) throw new HttpError(400, describeIssue(parsed.error.issues[0]));
      const unstorable = findUnstorable(schema, parsed.data);
      if (unstorable !== undefined) throw new HttpError(400, unstorable);
      return run(call, parsed.data);
    },
  };
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "unrecognized_keys")
    return `There is no argument ${issue.keys.map((key) => JSON.stringify(key.slice(0, 50))).join(", ")}.`;
  return validationMessage(issue?.path.join("."), issue?.message ?? "Invalid arguments");
}
