import type { ChannelKind } from "@whytrace/contract/schemas/alerts/channels";
import type { RateLimit } from "../../config.ts";
import { isChat } from "../stored-channel.ts";

export interface DueDelivery {
  id: string;
  channelId: string;
  attempts: number;
  isHeld: boolean;
  /** Whether it is about an issue: people get few of them, and a digest of the rest. */
  isOfIssue: boolean;
  /** Whether an earlier message about the same issue or rule was not delivered yet. */
  isBlocked: boolean;
  /** Whether that message was sent already, and failed. */
  isBlockedByAttempt: boolean;
}

export interface SendingChannel {
  id: string;
  kind: ChannelKind;
  burstStartedAt: string | null;
  burstCount: number;
  /** Messages on their way now, and attempts in the last minute. */
  sending: number;
  attemptsInMinute: number;
}

interface ChosenDeliveries {
  /** Deliveries to send, the first of each list with the others as its digest. */
  sent: { id: string; members: string[] }[];
  /** Deliveries that wait for the digest, until then. */
  held: string[];
  heldUntilMs: number;
  burst: { startedAtMs: number; count: number } | undefined;
}

const MAX_SENDING = 2;
const MAX_ATTEMPTS_PER_MINUTE = 60;

/**
 * Chooses which due messages of a channel are sent now, at most `room`. People get at most so many messages about issues in a window; the
 * rest waits until the window is over and becomes one message, which begins the next window.
 */
export function chooseDeliveries(
  channel: SendingChannel,
  due: readonly DueDelivery[],
  { room, burst, nowMs }: { room: number; burst: RateLimit; nowMs: number },
): ChosenDeliveries {
  let left = Math.min(
    room,
    MAX_SENDING - channel.sending,
    MAX_ATTEMPTS_PER_MINUTE - channel.attemptsInMinute - channel.sending,
  );
  const chosen: ChosenDeliveries = { sent: [], held: [], heldUntilMs: 0, burst: undefined };
  const isLimited = (one: DueDelivery) => isChat(channel.kind) && one.isOfIssue && one.attempts === 0;
  const send = (id: string, members: string[] = []) => {
    chosen.sent.push({ id, members });
    left -= 1;
  };
  for (const one of due) if (left > 0 && !one.isBlocked && !isLimited(one)) send(one.id);

  const limited = due.filter((one) => isLimited(one));
  if (limited.length === 0) return chosen;
  const startedAtMs = channel.burstStartedAt === null ? 0 : Date.parse(channel.burstStartedAt);
  const isOver = nowMs >= startedAtMs + burst.windowMs;
  const window = isOver ? { startedAtMs: nowMs, count: 0 } : { startedAtMs, count: channel.burstCount };
  if (isOver && limited.some(({ isHeld }) => isHeld)) {
    // What follows a message in the same digest does not wait for it.
    const [first, ...others] = limited.filter(({ isBlockedByAttempt }) => !isBlockedByAttempt);
    if (!first || left <= 0) return chosen;
    send(
      first.id,
      others.map(({ id }) => id),
    );
    return { ...chosen, burst: { ...window, count: 1 } };
  }
  for (const one of limited) {
    if (window.count >= burst.limit) chosen.held.push(one.id);
    else if (left > 0 && !one.isBlocked) {
      send(one.id);
      window.count += 1;
    }
  }
  return { ...chosen, heldUntilMs: window.startedAtMs + burst.windowMs, burst: window };
}
