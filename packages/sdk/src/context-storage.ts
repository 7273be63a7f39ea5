/** The part of AsyncLocalStorage that the SDK uses. */
export interface ContextStorage<Store> {
  getStore(): Store | undefined;
  run<T>(store: Store, work: () => T): T;
  enterWith?(store: Store): void;
}

type StorageClass = new () => ContextStorage<never>;
interface Runtime {
  AsyncLocalStorage?: StorageClass;
  process?: { getBuiltinModule?(name: string): { AsyncLocalStorage?: StorageClass } | undefined };
}

/**
 * Finds the runtime's AsyncLocalStorage without an import: a bundle for browsers or edge runtimes must not name a
 * Node.js module. The fallback keeps the context only until the first await; after that, users need handles.
 */
export function createContextStorage<Store>(runtime: Runtime = globalThis as Runtime): ContextStorage<Store> {
  try {
    const found =
      runtime.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage ?? runtime.AsyncLocalStorage;
    if (found) return new found();
  } catch {
    // Some runtimes define AsyncLocalStorage but do not implement it.
  }
  return new SynchronousStorage<Store>();
}

class SynchronousStorage<Store> implements ContextStorage<Store> {
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
