/** A score as a judge gives it. The command adds the run, the name, the source and the author. */
export type GivenScore = Record<string, unknown>;

/** What a judge says about one run. */
export type Answer =
  | { kind: "scores"; scores: GivenScore[]; costUsd: number }
  | { kind: "skipped"; reason: string }
  | { kind: "failed"; reason: string };

interface JudgedTrace {
  traceId: string;
  /** As `GET /api/traces/{id}` returns it. */
  run: unknown;
}

/** A program that judges runs, which its owner runs. */
export interface Judge {
  /** Never rejects. The signal ends it when the time is over. */
  judge(trace: JudgedTrace, signal: AbortSignal): Promise<Answer>;
  /** Undefined while it can judge; else why it cannot any more. */
  endedBy(): string | undefined;
  close(): Promise<void>;
}
