import type { RouteName, RouteQuery, Routes } from "@whytrace/contract/schemas/routes/routes";
import type { z } from "zod";

/*
 * Compares the schema of a route with its row in the table of routes, from which clients take their types. A difference is
 * an error of the compiler at the route.
 */

type IsSame<A, B> = [A, B] extends [B, A] ? true : false;

type ResponseOf<Schema> = Schema extends { response: infer ByStatus }
  ? ByStatus[keyof ByStatus & (200 | 201 | 202)]
  : undefined;

type BodyOf<Schema> = Schema extends { body: infer Body } | { describedBody: infer Body } ? Body : undefined;

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The values that a parameter takes, if they are enumerated; a number or date is sent as a text. */
type SentAs<Value> = string extends Value
  ? unknown
  : Exclude<Value, undefined> extends string
    ? Value
    : unknown;

/** `metadata.key=value` is read as the value of `metadata`. */
type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : Name;

type Parameters<Schema> = Schema extends { querystring: infer Query }
  ? OutputOf<Query>
  : Record<never, never>;

/** The parameters of a query that the route does not know, or to which it does not take all values. */
type WrongParameter<Query, Known> = {
  [Name in keyof Query]-?: GroupOf<Name> extends keyof Known
    ? Query[Name] extends SentAs<Known[GroupOf<Name>]> | undefined
      ? never
      : Name
    : Name;
}[keyof Query];

/** What the schema of a route has to be besides: nothing if the table has no row of the route, or one that says the same. */
export type CheckedSchema<Name extends string, Schema> = Name extends RouteName
  ? {
      schema: (IsSame<z.output<Routes[Name]["response"]>, OutputOf<ResponseOf<Schema>>> extends true
        ? unknown
        : { response: "is another one in the table of routes" }) &
        (IsSame<
          Routes[Name] extends { body: infer Body } ? InputOf<Body> : undefined,
          InputOf<BodyOf<Schema>>
        > extends true
          ? unknown
          : { body: "is another one in the table of routes" }) &
        ([WrongParameter<RouteQuery<Name>, Parameters<Schema>>] extends [never]
          ? unknown
          : { querystring: ["does not take", WrongParameter<RouteQuery<Name>, Parameters<Schema>>] });
    }
  : unknown;
