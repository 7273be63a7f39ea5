import type { z } from "zod";

/** Error texts by status. `<word>` is a placeholder for a value. */
export type ErrorTexts = Readonly<Record<number, readonly string[]>>;

/* Extra schema fields for the API reference. Fastify ignores them. */
declare module "fastify" {
  interface FastifySchema {
    /** Errors of this route that do not follow from its guard, method, parameters or body. */
    errors?: ErrorTexts;
    /** Documents a body that the handler validates itself. */
    describedBody?: z.ZodType;
  }
}
