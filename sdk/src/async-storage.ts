/** What of AsyncLocalStorage is needed here. */
export interface Storage<Store> {
  getStore(): Store | undefined;
  run<T>(store: Store, work: () => T): T;
}

type StorageClass = new () => Storage<never>;
interface Runtime {
  AsyncLocalStorage?: StorageClass;
  process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: StorageClass } | undefined };
}

/**
 * The runtime's own, found without an import: a bundle for the browser or the edge must not name a Node.js module.
 * Where there is none, the context holds for the synchronous part of the work; handles carry it beyond.
 */
export function createStorage<Store>(runtime: Runtime = globalThis as Runtime): Storage<Store> {
  try {
    const found =
      runtime.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage ?? runtime.AsyncLocalStorage;
    if (found) return new found();
  } catch {
    // A runtime that has the name and not the thing.
  }
  return new SynchronousStorage<Store>();
}

class SynchronousStorage<Store> implements Storage<Store> {
  #store: Store | undefined;

  getStore(): Store | undefined {
    return this.#store;
  }

  run<T>(store: Store, work: () => T): T {
    const before = this.#store;
    this.#store = store;
    try {
      return work();
    } finally {
      this.#store = before;
    }
  }
}
