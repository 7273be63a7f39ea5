import { Overloaded } from "./overloaded.ts";

interface ByteBudgetOptions {
  maxBytes: number;
  maxBytesPerWorkspace: number;
  maxWaitMs: number;
}

/**
 * Limits the bytes that requests hold in memory, in total and per workspace. A request opens a hold, waits for room before it
 * takes in more bytes, and counts the bytes that it actually has. So what a client announces and does not send costs
 * nothing.
 *
 * Requests that all hold a part and wait for the rest would wait for each other for ever. Therefore the oldest hold of all
 * always has room in total, and the oldest hold of each workspace in that workspace's share.
 */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  /** Oldest first, as in `#holdsByWorkspace`. */
  readonly #holds = new Set<ByteHold>();
  readonly #holdsByWorkspace = new Map<string, Set<ByteHold>>();
  readonly #heldByWorkspace = new Map<string, number>();
  #heldBytes = 0;
  readonly #waiting = new Map<ByteHold, { bytes: number; proceed(): void }>();
  #refused = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  get heldBytes() {
    return this.#heldBytes;
  }

  get waiting() {
    return this.#waiting.size;
  }

  /** How many requests were refused. */
  get refused() {
    return this.#refused;
  }

  open(workspace: string): ByteHold {
    const hold = new ByteHold(this, workspace);
    this.#holds.add(hold);
    const own = this.#holdsByWorkspace.get(workspace);
    if (own) own.add(hold);
    else this.#holdsByWorkspace.set(workspace, new Set([hold]));
    return hold;
  }

  /**
   * Counts bytes as soon as there is room for them; fails with Overloaded after `maxWaitMs`. Waiting and counting are one step: if those
   * that wait were only told that there is room, all of them would take the same.
   */
  async reserve(hold: ByteHold, bytes: number, maxWaitMs = this.#options.maxWaitMs): Promise<void> {
    if (this.hasRoom(hold, bytes)) return hold.add(bytes);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(hold);
        this.#refused += 1;
        reject(new Overloaded(5, { isOwnShare: !this.#hasOwnRoom(hold, bytes) }));
      }, maxWaitMs);
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(hold, { bytes, proceed });
    });
  }

  /** Counts bytes; a negative number gives bytes back. */
  count(hold: ByteHold, bytes: number) {
    this.#heldBytes += bytes;
    this.#heldByWorkspace.set(hold.workspace, (this.#heldByWorkspace.get(hold.workspace) ?? 0) + bytes);
    if (bytes < 0) this.#wake();
  }

  close(hold: ByteHold) {
    this.#holds.delete(hold);
    const own = this.#holdsByWorkspace.get(hold.workspace);
    own?.delete(hold);
    if (own?.size === 0) {
      this.#holdsByWorkspace.delete(hold.workspace);
      this.#heldByWorkspace.delete(hold.workspace);
    }
    this.#wake();
  }

  hasRoom(hold: ByteHold, bytes = 0): boolean {
    const [oldest] = this.#holds;
    return (
      this.#hasOwnRoom(hold, bytes) &&
      (fits(this.#heldBytes, bytes, this.#options.maxBytes) || hold === oldest)
    );
  }

  #hasOwnRoom(hold: ByteHold, bytes: number): boolean {
    const [oldest] = this.#holdsByWorkspace.get(hold.workspace) ?? [];
    const held = this.#heldByWorkspace.get(hold.workspace) ?? 0;
    return fits(held, bytes, this.#options.maxBytesPerWorkspace) || hold === oldest;
  }

  #wake() {
    for (const [hold, { bytes, proceed }] of this.#waiting)
      if (this.hasRoom(hold, bytes)) {
        this.#waiting.delete(hold);
        hold.add(bytes);
        proceed();
      }
  }
}

/** Whoever reserves nothing yet needs room for the first byte. */
const fits = (held: number, bytes: number, max: number) => held + Math.max(bytes, 1) <= max;

/** The bytes of one request. */
export class ByteHold {
  readonly workspace: string;
  readonly #budget: ByteBudget;
  #bytes = 0;
  #isClosed = false;

  constructor(budget: ByteBudget, workspace: string) {
    this.#budget = budget;
    this.workspace = workspace;
  }

  get hasRoom() {
    return this.#budget.hasRoom(this);
  }

  /** Resolves when there is room for the hold to grow; fails with Overloaded after `maxWaitMs`. */
  waitForRoom(maxWaitMs?: number): Promise<void> {
    return this.#budget.reserve(this, 0, maxWaitMs);
  }

  /** Grows by bytes that are about to be taken, as soon as there is room for them. */
  reserve(bytes: number): Promise<void> {
    return this.#budget.reserve(this, bytes);
  }

  add(bytes: number) {
    this.resize(this.#bytes + bytes);
  }

  /** Sets how many bytes the request holds now. */
  resize(bytes: number) {
    if (this.#isClosed) return;
    this.#budget.count(this, bytes - this.#bytes);
    this.#bytes = bytes;
  }

  close() {
    this.resize(0);
    this.#isClosed = true;
    this.#budget.close(this);
  }
}
