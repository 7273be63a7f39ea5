import type { WorkspaceId } from "../../db/workspace-id.ts";

/** Since when this process has seen bad runs of workspaces that are not counted in issues. */
export class IssuesLag {
  readonly #since = new Map<WorkspaceId, number>();

  /** All workspaces that are behind now. */
  found(behind: readonly WorkspaceId[]) {
    const now = performance.now();
    const known = new Set(behind);
    for (const workspaceId of this.#since.keys())
      if (!known.has(workspaceId)) this.#since.delete(workspaceId);
    for (const workspaceId of behind) if (!this.#since.has(workspaceId)) this.#since.set(workspaceId, now);
  }

  caughtUp(workspaceId: WorkspaceId) {
    this.#since.delete(workspaceId);
  }

  /** Of the workspace that has waited the longest. */
  get seconds(): number {
    const first = Math.min(...this.#since.values());
    return Number.isFinite(first) ? (performance.now() - first) / 1_000 : 0;
  }
}
