import type pg from "pg";
import type { Connections } from "../../db/connections.ts";
import type { Database } from "../../db/database.ts";
import type { Node } from "../../db/node.ts";
import { nodeTransaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import type { Maskings } from "../../masking/maskings.ts";
import { GroupCommit } from "../store/group-commit.ts";
import { deleteScore } from "./delete-score.ts";
import { maskScore } from "./mask-score.ts";
import type { ParsedScore } from "./parsed-score.ts";
import { type ScoreRequest, storeScores } from "./store-scores.ts";

/** They share the connections of the group commit of traces. */
const WRITERS = 2;

interface ScoreStoreOptions {
  connections: Connections;
  live: Live;
  maskings: Maskings;
  /** Is called when requests could not be stored together, and each is stored alone. */
  onGroupFailed?: (error: unknown) => void;
}

/** Stores the scores of all doors. Small requests that arrive at the same time share a transaction. */
export class ScoreStore {
  readonly #options: ScoreStoreOptions;
  readonly #groupCommits = new Map<Node, GroupCommit<ScoreRequest, void>>();

  constructor(options: ScoreStoreOptions) {
    this.#options = options;
  }

  /** Requests that wait for a shared transaction. None is refused: the memory of bodies limits them. */
  get waiting() {
    return [...this.#groupCommits.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  readonly refused = 0;

  /**
   * Masks and stores checked scores, all or none of them. They are on disk when the function returns. Of scores with one id the newest
   * stands, whichever came first. Throws 409 if a trace has too many, and 429 if too many wait for their traces.
   */
  async store(
    { workspaceId, keyId }: { workspaceId: WorkspaceId; keyId?: string | undefined },
    scores: ParsedScore[],
    bytes: number,
  ): Promise<void> {
    const groupCommit = await this.#groupCommit(workspaceId);
    const keys = new Set(scores.flatMap(({ id, traceId }) => [`score ${id}`, `trace ${traceId}`]));
    await this.#options.maskings.apply(workspaceId, (masking) => {
      const masked = masking.tally.time(() => scores.map((score) => maskScore(score, masking)));
      const maskingVersion = masking.version;
      return groupCommit.store({ workspaceId, keyId, scores: masked, maskingVersion, bytes, keys });
    });
  }

  /** Takes a score back. Returns false if the workspace has none with this id; throws 409 if its trace carries it. */
  async delete(workspaceId: WorkspaceId, id: string): Promise<boolean> {
    const { connections, live } = this.#options;
    const isDeleted = await connections.writes.transaction(workspaceId, (_client, trx) =>
      deleteScore(trx, workspaceId, id),
    );
    if (isDeleted) live.changed(workspaceId);
    return isDeleted;
  }

  async #groupCommit(workspaceId: WorkspaceId): Promise<GroupCommit<ScoreRequest, void>> {
    const { writes } = this.#options.connections;
    const node = await this.#options.connections.nodeOf(workspaceId);
    let groupCommit = this.#groupCommits.get(node);
    if (!groupCommit) {
      groupCommit = new GroupCommit({
        maxWriters: WRITERS,
        onGroupFailed: this.#options.onGroupFailed,
        storeGroup: async (requests) => {
          await this.#store(requests, (work) => nodeTransaction(node, "group", work));
          return requests.map(() => undefined);
        },
        storeAlone: (request) =>
          this.#store([request], (work) => writes.transaction(request.workspaceId, work)),
      });
      this.#groupCommits.set(node, groupCommit);
    }
    return groupCommit;
  }

  async #store(requests: ScoreRequest[], transaction: (work: StoreWork) => Promise<WorkspaceId[]>) {
    const changed = await transaction((_client, trx) => storeScores(trx, requests));
    for (const workspaceId of changed) this.#options.live.changed(workspaceId);
  }
}

type StoreWork = (client: pg.PoolClient, trx: Database) => Promise<WorkspaceId[]>;
