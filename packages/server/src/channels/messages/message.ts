import type { AlertEventType } from "@whytrace/contract/schemas/alerts/channels";
import type { Severity } from "@whytrace/contract/schemas/alerts/rules";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import { plainWords } from "../../mail/plain-words.ts";
import { pageIn, type WorkspaceAddress } from "../../workspaces/workspace-address.ts";
import { type EventData, parseEventData } from "./event-data.ts";

/** An event as it is read to be sent. */
export interface StoredEvent {
  type: AlertEventType;
  subject: string;
  sequence: number;
  at: string;
  payload: object;
}

export interface MessageContext {
  workspaceId: WorkspaceId;
  workspace: WorkspaceAddress;
}

/** What every kind of message shows, as plain text. */
export interface Message {
  type: AlertEventType;
  /** Identifies the issue or rule across workspaces. */
  key: string;
  head: string;
  lines: string[];
  url: string;
  /** Whether the event ends what an earlier one began. */
  isEnd: boolean;
  /** How a pager treats it. */
  severity: Severity;
}

const WORDS: Readonly<Record<AlertEventType, string>> = {
  "issue.new": "New",
  "issue.regressed": "Regressed",
  "issue.reopened": "Reopened",
  "issue.resolved": "Resolved",
  "alert.firing": "Firing",
  "alert.recovered": "Recovered",
  "alert.no_data": "No data",
  "channel.test": "Test",
};
const ENDS: ReadonlySet<AlertEventType> = new Set<AlertEventType>([
  "issue.resolved",
  "alert.recovered",
  "alert.no_data",
]);

/** Puts an event into words. Nothing of a run is in it but masked texts. */
export function toMessage(
  { type, subject, payload }: StoredEvent,
  { workspaceId, workspace }: MessageContext,
): Message {
  const data = parseEventData(payload);
  return {
    type,
    key: `whytrace-${workspaceId}-${subject}`,
    head: plainWords(headOf(type, data)),
    lines: [...linesOf(data), ...workspaceLine(workspace)].map(plainWords),
    url: urlOf(data, workspace),
    isEnd: ENDS.has(type),
    severity: data.rule?.severity ?? "error",
  };
}

function headOf(type: AlertEventType, { issue, rule, isReminder }: EventData): string {
  if (issue) return `#${issue.number} ${WORDS[type]}: ${issue.title}`;
  if (rule) return `${isReminder ? "Still firing" : WORDS[type]}: ${rule.name}`;
  return "A test of this channel by Whytrace";
}

function linesOf(data: EventData): string[] {
  const { issue, rule, reason, value, runs, unit } = data;
  const agent = issue?.agent ?? rule?.agent;
  const counted = issue ? issue.runs : runs;
  const share = issue?.share ? `, ${toPercent(issue.share.value)} of the agent's runs` : "";
  return [
    ...(agent ? [`Agent: ${agent}`] : []),
    ...(rule && typeof value === "number" ? [`Value: ${toAmount(value, unit)}`] : []),
    ...(typeof counted === "number" ? [`${counted} ${counted === 1 ? "run" : "runs"}${share}`] : []),
    ...(issue?.likely ? [likelyLine(issue.likely)] : []),
    ...(issue?.release ? [`Release: ${issue.release}`] : []),
    ...(reason ? [`Reason: ${reason}`] : []),
  ];
}

const likelyLine = ({ word, option, alternative }: NonNullable<NonNullable<EventData["issue"]>["likely"]>) =>
  `Decision: ${option}${alternative ? ` → ${alternative}` : ""} ${word}`;

const toPercent = (share: number) => `${Math.round(share * 1_000) / 10} %`;

function toAmount(value: number, unit: EventData["unit"]): string {
  if (unit === "share") return toPercent(value);
  const rounded = Number(value.toPrecision(4));
  if (unit === "usd") return `$${rounded}`;
  return unit ? `${rounded} ${unit}` : String(rounded);
}

const workspaceLine = ({ name }: WorkspaceAddress) => (name === null ? [] : [`Workspace: ${name}`]);

export const urlOf = ({ url, issue }: EventData, workspace: WorkspaceAddress) =>
  pageIn(workspace, url ?? (issue ? `/issues/${issue.number}` : "/alerts"));

/** What people get instead of many messages. */
export function toDigest(events: readonly StoredEvent[], context: MessageContext): Message {
  const messages = events.map((event) => toMessage(event, context));
  const subjects = new Set(events.map(({ subject }) => subject)).size;
  return {
    type: "issue.new",
    key: `whytrace-${context.workspaceId}-digest`,
    head: `${subjects} more ${subjects === 1 ? "issue" : "issues"}`,
    lines: [
      ...messages.map(({ head, lines }) => [head, ...lines.slice(0, 1)].join(" · ")),
      ...workspaceLine(context.workspace).map(plainWords),
    ],
    url: pageIn(context.workspace, "/issues"),
    isEnd: false,
    severity: "error",
  };
}
