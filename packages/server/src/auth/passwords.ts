import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { FairPool } from "../concurrency/fair-pool.ts";

/** memoryCost is in KiB: 19 MiB. argon2id is the library's default algorithm. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Whose password is hashed is not known yet, so all wait in one line. */
const EVERYBODY = "";

/** Matches no password. Has the same parameters as real hashes, so that verifying takes as long. */
const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/**
 * Hashes and verifies passwords with argon2id on a few threads. A burst of sign-ins waits in a bounded queue or fails
 * with Overloaded, and does not slow down other requests.
 */
export class Passwords {
  readonly #pool = new FairPool({
    maxRunning: Math.max(1, availableParallelism() >> 1),
    maxWaitingPerCaller: 128,
  });

  get depth() {
    return this.#pool.running + this.#pool.waiting;
  }

  hash(password: string): Promise<string> {
    return this.#pool.run(EVERYBODY, () => hash(normalise(password), PARAMETERS));
  }

  /** Takes as long for an unknown user (no stored hash) as for a known one. */
  async verify(storedHash: string | undefined, password: string): Promise<boolean> {
    const isCorrect = await this.#pool.run(EVERYBODY, () =>
      verify(storedHash ?? DUMMY_HASH, normalise(password)),
    );
    return isCorrect && storedHash !== undefined;
  }
}

/** Systems encode the same typed characters as different Unicode sequences. */
const normalise = (password: string) => password.normalize("NFKC");
