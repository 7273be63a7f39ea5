import { expectTypeOf, it } from "vitest";
import type { IssueTimeline } from "../issues/issues.ts";
import type { SavedView } from "../saved-views.ts";
import type { RouteArguments, RouteInput, RouteName, RouteResponse } from "./routes.ts";

/* The compiler checks these, not the run. */

it("types the response of a route by its schema", () => {
  expectTypeOf<RouteResponse<"PATCH /api/views/:id">>().toEqualTypeOf<SavedView>();
});

it("types a list as pages, unless its query has a cursor", () => {
  expectTypeOf<RouteResponse<"GET /api/traces">>().toHaveProperty("totalPages");
  expectTypeOf<RouteResponse<"GET /api/traces">>().not.toHaveProperty("nextCursor");
  expectTypeOf<RouteResponse<"GET /api/issues/:number/timeline">>().toEqualTypeOf<IssueTimeline>();
});

it("asks for the parameters in the path, the body, and what a query needs", () => {
  expectTypeOf<RouteInput<"PATCH /api/views/:id">>().toExtend<{
    params: { id: string | number };
    body: { name?: string | undefined };
  }>();
  expectTypeOf<RouteInput<"GET /api/insights/compare">>().toExtend<{ query: { a: string; b: string } }>();
  expectTypeOf<[]>().not.toExtend<RouteArguments<"PATCH /api/views/:id">>();
  expectTypeOf<[]>().not.toExtend<RouteArguments<"GET /api/insights/compare">>();
  expectTypeOf<[]>().toExtend<RouteArguments<"GET /api/views">>();
  expectTypeOf<[]>().toExtend<RouteArguments<"GET /api/traces">>();
});

it("refuses what a route does not take", () => {
  const call = <Name extends RouteName>(_name: Name, ..._input: RouteArguments<Name>) => {};
  call("GET /api/traces", { query: { sort: "newest", page: 2, "metadata.customer": "a" } });
  call("PATCH /api/views/:id", { params: { id: "a" }, body: { name: "b" } });
  // @ts-expect-error a route that is not in the table
  call("GET /api/trace");
  // @ts-expect-error another name of a parameter
  call("PATCH /api/views/:id", { params: { view: "a" }, body: {} });
  // @ts-expect-error a parameter that the query does not have
  call("GET /api/traces", { query: { sorted: "newest" } });
  // @ts-expect-error a value that the parameter does not take
  call("GET /api/traces", { query: { sort: "best" } });
  // @ts-expect-error a field of another type
  call("PATCH /api/views/:id", { params: { id: "a" }, body: { name: 1 } });
  // @ts-expect-error a body of a route that takes none
  call("DELETE /api/views/:id", { params: { id: "a" }, body: {} });
});
