import { comparison } from "@whytrace/contract/schemas/insights/comparison";
import {
  changedSavedView,
  newSavedView,
  savedView,
  savedViewList,
} from "@whytrace/contract/schemas/saved-views";
import { filterValues } from "@whytrace/contract/schemas/traces";
import type { FastifySchema } from "fastify";
import { it } from "vitest";
import { z } from "zod";
import type { CheckedSchema } from "./checked-schema.ts";

/* The compiler checks these, not the run. */

const register = <Name extends string, const Schema extends FastifySchema>(
  _name: Name,
  _options: { schema: Schema } & CheckedSchema<Name, Schema>,
) => {};

it("takes the schema that the table of routes names, and any for a route that is not in the table", () => {
  register("GET /api/views", { schema: { response: { 200: savedViewList } } });
  register("GET /api/of-no-client", { schema: { response: { 200: savedView } } });
});

it("refuses another response", () => {
  // @ts-expect-error the response of another route
  register("GET /api/views", { schema: { response: { 200: savedView } } });
  const renamed = savedView.omit({ name: true }).extend({ title: z.string() });
  // @ts-expect-error a field has another name
  register("GET /api/views", { schema: { response: { 200: z.object({ views: z.array(renamed) }) } } });
  // @ts-expect-error no response
  register("GET /api/views", { schema: {} });
});

it("refuses another body", () => {
  register("POST /api/views", { schema: { body: newSavedView, response: { 201: savedView } } });
  register("POST /api/views", { schema: { describedBody: newSavedView, response: { 201: savedView } } });
  // @ts-expect-error fields that the table requires are optional
  register("POST /api/views", { schema: { body: changedSavedView, response: { 201: savedView } } });
  // @ts-expect-error no body
  register("POST /api/views", { schema: { response: { 201: savedView } } });
  // @ts-expect-error a body that the table does not have
  register("GET /api/views", { schema: { body: newSavedView, response: { 200: savedViewList } } });
});

it("refuses a query without a parameter of the table, or without one of its values", () => {
  const both = z.object({ a: z.string(), b: z.string() });
  register("GET /api/insights/compare", { schema: { querystring: both, response: { 200: comparison } } });
  const one = both.omit({ b: true });
  // @ts-expect-error a parameter is missing
  register("GET /api/insights/compare", { schema: { querystring: one, response: { 200: comparison } } });
  const some = z.object({ field: z.enum(["agent", "model"]) });
  // @ts-expect-error values are missing
  register("GET /api/filter-values", { schema: { querystring: some, response: { 200: filterValues } } });
});
