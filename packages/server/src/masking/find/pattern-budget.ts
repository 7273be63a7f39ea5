import type { SearchLimit } from "./endable-text.ts";
import { type RuleName, TextNotChecked } from "./text-not-checked.ts";

/** What a workspace's patterns may take for a text, together. Slower ones cannot be saved. */
const MAX_PATTERNS_MS_PER_MIB = 1_000;
/** What they may take beyond that, until texts that take less have made up for it. */
const SPARE_MS = 250;
/** Of the time that passes, so much makes up for it, too: the next texts of a workspace may come much later. */
const SHARE_OF_TIME = 0.1;
const MIB = 1_048_576;

export class PatternTimeout extends TextNotChecked {
  override name = "PatternTimeout";

  /** Without a rule if there was no time left to begin. */
  constructor(rule?: RuleName) {
    super("A pattern exceeded its time", rule);
  }
}

/** Asking for the time of the thread takes longer than to match a short text, so only one in so many is timed, and counts for all. */
const SHORT_LENGTH = 1_024;
const SHORT_TEXTS_PER_TIMED = 8;
/** A text that takes longer is timed from then on. */
const CHECK_MS = 2;

const clockMs = () => performance.now();

/** Time that this thread has spent, whatever else the machine does. Node.js 22 only has a clock. */
export const threadMs: () => number =
  "threadCpuUsage" in process
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : clockMs;

/** Limits the time that the own patterns of a workspace take in this thread to what is in proportion to its texts. */
export class PatternBudget {
  readonly #maxMsPerText: number;
  #leftMs = SPARE_MS;
  /** Of the text that is being matched: for how many texts its time counts; 0 if it is not timed. */
  #weight = 0;
  #startedMs = 0;
  #checkedAt = 0;
  #endedAt = 0;

  /** `maxMsPerText` is for threads in which others wait for the end of a text. */
  constructor(maxMsPerText = Number.POSITIVE_INFINITY) {
    this.#maxMsPerText = maxMsPerText;
  }

  /** Gives all the time back that may be spared. */
  refill() {
    this.#leftMs = SPARE_MS;
  }

  /** Is called before patterns are matched in a text. Throws if no time is left for it. */
  begin({ length }: string) {
    this.#checkedAt = clockMs();
    const idleMs = (this.#checkedAt - this.#endedAt) * SHARE_OF_TIME;
    const share = (length / MIB) * MAX_PATTERNS_MS_PER_MIB;
    this.#leftMs = Math.min(this.#leftMs + idleMs, SPARE_MS) + share;
    if (length > SHORT_LENGTH) this.#time(1);
    else if (Math.random() < 1 / SHORT_TEXTS_PER_TIMED) this.#time(SHORT_TEXTS_PER_TIMED);
    else this.#weight = 0;
    if (this.#leftMs < 0) throw new PatternTimeout();
  }

  /** Ends the search of a rule's pattern if patterns have taken too long in the text. */
  limitOf(rule: RuleName): SearchLimit {
    return { check: () => this.#check(rule) };
  }

  #check(rule: RuleName) {
    const now = clockMs();
    if (now - this.#checkedAt < CHECK_MS) return;
    this.#checkedAt = now;
    if (this.#weight === 0) this.#time(1);
    else if (threadMs() - this.#startedMs > Math.min(this.#leftMs, this.#maxMsPerText))
      throw new PatternTimeout(rule);
  }

  /** Is called when all patterns were matched in a text, or one of them took too long. */
  end() {
    if (this.#weight === 0) return;
    const spentMs = this.#weight * (threadMs() - this.#startedMs);
    this.#leftMs = Math.max(this.#leftMs - spentMs, -SPARE_MS);
    this.#endedAt = clockMs();
  }

  #time(weight: number) {
    this.#weight = weight;
    this.#startedMs = threadMs();
  }
}
