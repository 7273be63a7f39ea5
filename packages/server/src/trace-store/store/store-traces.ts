import type { ParsedTrace } from "@whytrace/contract";
import type pg from "pg";
import { runInTimeSlices } from "../../concurrency/run-in-time-slices.ts";
import { type Connections, GROUP_CONNECTIONS } from "../../db/connections.ts";
import type { Database } from "../../db/database.ts";
import type { Node } from "../../db/node.ts";
import { sqlState, UNIQUE_VIOLATION } from "../../db/sql-state.ts";
import { nodeTransaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { Live } from "../../live/live.ts";
import { maskTraces } from "../../masking/mask-trace.ts";
import type { Maskings } from "../../masking/maskings.ts";
import type { StoreRequest } from "../batch/workspace-batch.ts";
import { deleteOrphansOf } from "../delete/delete-orphans.ts";
import type { PieceMerge } from "../rows/trace-piece.ts";
import { GroupCommit } from "./group-commit.ts";
import { NOTHING, type StoredRequest, storeRequests } from "./store-requests.ts";

export interface TraceStoreOptions {
  connections: Connections;
  publicUrl: string;
  live: Live;
  maskings: Maskings;
  /** Is called when requests could not be stored together, and each is stored alone. */
  onGroupFailed?: (error: unknown) => void;
  /** Traces with more spans are derived elsewhere. */
  maxDerivedSpans?: number;
}

export class TraceStore {
  readonly #options: TraceStoreOptions;
  /** Workspaces of one node share transactions. */
  readonly #groupCommits = new Map<Node, GroupCommit<StoreRequest, StoredRequest>>();

  constructor(options: TraceStoreOptions) {
    this.#options = options;
  }

  async #groupCommit(workspaceId: WorkspaceId): Promise<GroupCommit<StoreRequest, StoredRequest>> {
    const node = await this.#options.connections.nodeOf(workspaceId);
    let groupCommit = this.#groupCommits.get(node);
    if (!groupCommit) {
      groupCommit = this.#newGroupCommit(node);
      this.#groupCommits.set(node, groupCommit);
    }
    return groupCommit;
  }

  #newGroupCommit(node: Node): GroupCommit<StoreRequest, StoredRequest> {
    const { writes } = this.#options.connections;
    return new GroupCommit({
      maxWriters: GROUP_CONNECTIONS,
      onGroupFailed: this.#options.onGroupFailed,
      storeGroup: (requests) => this.#store(requests, (work) => nodeTransaction(node, "group", work)),
      storeAlone: async (request) => {
        const [stored = NOTHING] = await this.#storeAlone(request).catch(async (error: unknown) => {
          if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
          // The row of a trace with one of these ids was deleted by hand, which leaves its children.
          await writes.transaction(request.workspaceId, (_client, trx) =>
            deleteOrphansOf(trx, request.workspaceId, request.keys),
          );
          return this.#storeAlone(request);
        });
        return stored;
      },
    });
  }

  /** Requests that wait for a shared transaction. None is refused: the memory of bodies limits them. */
  get waiting() {
    return [...this.#groupCommits.values()].reduce((sum, { waiting }) => sum + waiting, 0);
  }

  readonly refused = 0;

  /**
   * Masks and stores a checked batch, completely or not at all, and returns how many of its traces were stored or replaced. The batch
   * is on disk when the function returns. Small batches that arrive at the same time share a transaction.
   */
  async store({ workspaceId, keyId }: Sender, batch: ParsedTrace[], bytes: number): Promise<number> {
    const groupCommit = await this.#groupCommit(workspaceId);
    return this.#options.maskings.apply(workspaceId, async (masking) => {
      const masked = await runInTimeSlices(masking.tally.timeSteps(maskTraces(batch, masking)));
      const traces = new Map(masked.map((trace) => [trace.id, trace]));
      const { ids } = await groupCommit.store({
        workspaceId,
        keyId,
        traces,
        maskingVersion: masking.version,
        bytes,
        keys: [...traces.keys()],
      });
      return batch.filter(({ id }) => ids.has(id)).length;
    });
  }

  /**
   * Merges pieces into their traces, like `store`. They are masked already, before they were mapped. Throws MaskingChanged if the
   * version by which they were is not the current one; without a version they bring nothing that was sent.
   */
  async merge(
    { workspaceId, keyId }: Sender,
    merge: PieceMerge,
    bytes: number,
    maskingVersion?: number,
  ): Promise<StoredRequest> {
    const keys = [...merge.pieces.keys()];
    const groupCommit = await this.#groupCommit(workspaceId);
    return groupCommit.store({ workspaceId, keyId, traces: new Map(), merge, maskingVersion, bytes, keys });
  }

  #storeAlone(request: StoreRequest): Promise<StoredRequest[]> {
    const { writes } = this.#options.connections;
    return this.#store([request], (work) => writes.transaction(request.workspaceId, work));
  }

  async #store(
    requests: StoreRequest[],
    transaction: (work: StoreWork) => Promise<StoredRequest[]>,
  ): Promise<StoredRequest[]> {
    const { live } = this.#options;
    const stored = await transaction((client, trx) => storeRequests(client, trx, requests, this.#options));
    for (const workspaceId of new Set(requests.map((request) => request.workspaceId)))
      live.changed(workspaceId);
    return stored;
  }
}

interface Sender {
  workspaceId: WorkspaceId;
  keyId?: string | undefined;
}

type StoreWork = (client: pg.PoolClient, trx: Database) => Promise<StoredRequest[]>;
