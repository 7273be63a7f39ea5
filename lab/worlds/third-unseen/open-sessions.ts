import type { WorldRandom } from "../world-random.ts";

/** A session that several runs belong to. */
interface OpenSession<User> {
  name: string;
  /** What stays the same in the session. */
  user: User;
  /** How many runs it has had. */
  position: number;
}

/** Sessions that are open at once, so that their runs come mixed in time; one that ends makes room for another. */
export class OpenSessions<User> {
  readonly #random: WorldRandom;
  readonly #newUser: () => User;
  readonly #runs: readonly [number, number];
  readonly #open: { session: OpenSession<User>; left: number }[];
  #count = 0;

  constructor(random: WorldRandom, atOnce: number, runs: readonly [number, number], newUser: () => User) {
    this.#random = random;
    this.#runs = runs;
    this.#newUser = newUser;
    this.#open = Array.from({ length: atOnce }, () => this.#start());
  }

  /** The session of the next run. */
  next(): OpenSession<User> {
    const index = this.#random.between(0, this.#open.length - 1);
    const slot = this.#open[index];
    if (!slot || slot.left === 0) {
      const started = this.#start();
      this.#open[index] = started;
      return this.#take(started);
    }
    return this.#take(slot);
  }

  #take(slot: { session: OpenSession<User>; left: number }): OpenSession<User> {
    const taken = { ...slot.session };
    slot.session.position += 1;
    slot.left -= 1;
    return taken;
  }

  #start() {
    this.#count += 1;
    const session = { name: `user ${this.#count}`, user: this.#newUser(), position: 0 };
    return { session, left: this.#random.between(this.#runs[0], this.#runs[1]) };
  }
}
