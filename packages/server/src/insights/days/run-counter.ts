import { COUNTS, SHARE_UNITS, VOTE_COUNTS } from "./count-columns.ts";
import type { CountTable } from "./count-table.ts";
import { RowCounts } from "./row-counts.ts";
import { SessionLog } from "./session-log.ts";

/** Whether a run has a score that its definition looks for, whether a score made it bad, and whether its users were asked. */
export interface Vote {
  isAnswered: boolean;
  isScoredBad: boolean;
  isAsked: boolean;
}
export const SILENT: Vote = { isAnswered: false, isScoredBad: false, isAsked: false };

/** Is called for each row of a session, with what the session decided: `ended` also counts unknown decisions. */
type OnSessionRow = (row: number, ended: number, session: RowCounts) => void;

/**
 * Counts the decisions of one run after another in a table whose columns begin with COUNTS. What is counted by session is complete
 * after `endSessions`.
 */
export class RunCounter {
  readonly #table: CountTable;
  readonly #onSessionRow: OnSessionRow | undefined;
  readonly #votes: CountTable | undefined;
  readonly #run = new RowCounts();
  readonly #log: SessionLog;

  /** Continues with the open sessions of another counter, whose table has the same rows. Votes are counted in `votes`, by row. */
  constructor(table: CountTable, onSessionRow?: OnSessionRow, copied?: RunCounter, votes?: CountTable) {
    this.#table = table;
    this.#onSessionRow = onSessionRow;
    this.#votes = votes;
    this.#log = copied ? copied.#log.copy() : new SessionLog();
  }

  get byteLength(): number {
    return this.#log.byteLength;
  }

  /** Decisions of a running trace have no outcome yet. */
  countOpen(row: number) {
    this.#table.add(row, COUNTS.open, 1);
  }

  countUnknown(row: number) {
    this.#table.add(row, COUNTS.unknown, 1);
    this.#run.add(row, 0, 0, 0, 1);
  }

  count(row: number, outcome: number, isFailed: boolean) {
    this.#table.add(row, outcome, 1);
    this.#run.add(row, 1, isFailed ? 1 : 0, outcome === COUNTS.recovered ? 1 : 0);
  }

  /** Adds up the run, which belongs to a session or, if that is 0, counts as one of its own. */
  endRun(session: number, isError: boolean, vote = SILENT) {
    const [table, run] = [this.#table, this.#run];
    if (this.#votes && (vote.isAnswered || vote.isAsked)) this.#addVote(this.#votes, vote);
    for (let index = 0; index < run.size; index += 1) {
      const row = run.row(index);
      if (run.decisions(index) === 0) continue;
      table.add(row, COUNTS.runs, 1);
      if (run.failed(index) > 0) table.add(row, COUNTS.failedRuns, 1);
      if (run.recovered(index) > 0) table.add(row, COUNTS.recoveredRuns, 1);
      if (isError) table.add(row, COUNTS.errorRuns, 1);
    }
    if (session === 0) this.#addSession(run);
    else this.#log.add(session, run);
    run.clear();
  }

  #addVote(votes: CountTable, { isAnswered, isScoredBad }: Vote) {
    const run = this.#run;
    for (let index = 0; index < run.size; index += 1) {
      const row = votes.row(run.row(index), 0, 0);
      if (row < 0) continue;
      const ended = run.decisions(index) + run.unknown(index);
      votes.add(row, VOTE_COUNTS.askedRuns, 1);
      votes.add(row, VOTE_COUNTS.asked, ended);
      votes.add(row, VOTE_COUNTS.askedSquares, ended * ended);
      if (!isAnswered) continue;
      votes.add(row, VOTE_COUNTS.answeredRuns, 1);
      votes.add(row, VOTE_COUNTS.answered, ended);
      votes.add(row, VOTE_COUNTS.answeredSquares, ended * ended);
      const failed = isScoredBad ? run.failed(index) : 0;
      if (failed === 0) continue;
      votes.add(row, VOTE_COUNTS.failedRuns, 1);
      votes.add(row, VOTE_COUNTS.failed, failed);
      votes.add(row, VOTE_COUNTS.products, ended * failed);
      votes.add(row, VOTE_COUNTS.failedSquares, failed * failed);
      votes.add(row, VOTE_COUNTS.failedShares, Math.round((SHARE_UNITS * failed * failed) / ended));
    }
  }

  /** Whether `endSessions` must be called before the next run. */
  get isFull(): boolean {
    return this.#log.isFull;
  }

  /** Adds up the sessions. Further runs of them count as other sessions. */
  *endSessions(): Generator<undefined, void> {
    yield* this.#log.endSessions((session) => this.#addSession(session));
  }

  #addSession(session: RowCounts) {
    const table = this.#table;
    for (let index = 0; index < session.size; index += 1) {
      const row = session.row(index);
      const [decisions, failed] = [session.decisions(index), session.failed(index)];
      if (decisions > 0) table.add(row, COUNTS.sessions, 1);
      table.add(row, COUNTS.decisionSquares, decisions * decisions);
      if (failed > 0) {
        table.add(row, COUNTS.products, decisions * failed);
        table.add(row, COUNTS.failedSquares, failed * failed);
        table.add(row, COUNTS.failedShares, Math.round((SHARE_UNITS * failed * failed) / decisions));
      }
      this.#onSessionRow?.(row, decisions + session.unknown(index), session);
    }
  }
}
