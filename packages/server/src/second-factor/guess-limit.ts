import type { UserId } from "../auth/user-id.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { guessedCodesMail } from "./mails.ts";

/** At this failure within an hour, the person is told. */
const TOLD_AT = 10;
const HOUR_MS = 3_600_000;

interface GuessLimitOptions {
  db: Database;
  limiter: RateLimiter;
  config: Pick<Config, "publicUrl" | "rateLimits">;
}

interface Guessed {
  userId: UserId;
  email: string;
}

/** Limits how many second factors can be tried for a person, whatever the number of first steps. */
export class GuessLimit {
  readonly #options: GuessLimitOptions;

  constructor(options: GuessLimitOptions) {
    this.#options = options;
  }

  /** Throws 429 if there were too many. */
  admit({ userId }: Pick<Guessed, "userId">): Promise<void> {
    return this.#admit("second-factor", userId);
  }

  /** The same for codes of an app that is set up. */
  admitSetup(userId: UserId): Promise<void> {
    return this.#admit("second-factor-setup", userId);
  }

  #admit(name: string, subject: string): Promise<void> {
    const { limiter, config } = this.#options;
    return limiter.admit([{ ...config.rateLimits.secondFactor, name, subject }]);
  }

  /** Counts a wrong one. The tenth in an hour sends the person a mail: somebody knows the password. */
  async countFailure({ userId, email }: Guessed): Promise<void> {
    const { db, config } = this.#options;
    if (await this.#fits("second-factor-failed", userId, TOLD_AT - 1)) return;
    if (await this.#fits("second-factor-mail", userId, 1))
      await queueMail(db, guessedCodesMail(config.publicUrl, email));
  }

  async #fits(name: string, subject: string, limit: number): Promise<boolean> {
    try {
      await this.#options.limiter.admit([{ name, subject, limit, windowMs: HOUR_MS }]);
      return true;
    } catch (error) {
      if (error instanceof HttpError && error.status === 429) return false;
      throw error;
    }
  }
}
