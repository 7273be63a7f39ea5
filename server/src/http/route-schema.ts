import { z } from "zod";

/** Texts of `{ error }` by status. `<word>` in a text stands for a value that varies. */
export type ErrorTexts = Readonly<Record<number, readonly string[]>>;

/*
 * What a route says of itself for the reference, beside what Fastify checks and writes by. Fastify reads neither, so
 * neither changes an answer.
 */
declare module "fastify" {
  interface FastifySchema {
    /** The errors of this route, beside those that follow from its guard, method, parameters and body. */
    errors?: ErrorTexts;
    /** A body that the handler checks by itself. */
    describedBody?: z.ZodType;
  }
}

/** What a field answers when it is refused: a field of a body or query registers its own texts. */
export const refusals = z.registry<{ texts: readonly string[] }>();
