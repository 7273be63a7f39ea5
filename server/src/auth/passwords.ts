import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { BoundedPool } from "../concurrency/bounded-pool.ts";

/** 19 MiB; argon2id is the library's default algorithm. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** The hash of no password, under the same parameters: checking against it takes as long as against a real one. */
const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/**
 * Argon2id on a few threads with a bounded line before them: a storm of sign-ins waits here, or is told to come
 * back, while everything else goes on.
 */
export class Passwords {
  readonly #pool = new BoundedPool({ maxRunning: Math.max(1, availableParallelism() >> 1), maxWaiting: 128 });

  get depth() {
    return this.#pool.depth;
  }

  hash(password: string): Promise<string> {
    return this.#pool.run(() => hash(normalise(password), PARAMETERS));
  }

  /** Takes its time also when there is no such user. */
  async verify(storedHash: string | undefined, password: string): Promise<boolean> {
    const isRight = await this.#pool.run(() => verify(storedHash ?? NOBODYS_HASH, normalise(password)));
    return isRight && storedHash !== undefined;
  }
}

/** The same characters typed on another system may arrive composed differently. */
const normalise = (password: string) => password.normalize("NFKC");
