import type { z } from "zod";
import type { AccountRoutes } from "./account-routes.ts";
import type { AlertRoutes } from "./alert-routes.ts";
import type { InsightsRoutes } from "./insights-routes.ts";
import type { IssueRoutes } from "./issue-routes.ts";
import type { MaskingRoutes } from "./masking-routes.ts";
import type { ScoreRoutes } from "./score-routes.ts";
import type { TraceRoutes } from "./trace-routes.ts";
import type { WorkspaceRoutes } from "./workspace-routes.ts";

/**
 * The routes that the dashboard and the command line call, with what each takes and returns. It consists of types only. The
 * server's `App` compares each route that it registers with its row here.
 */
export interface Routes
  extends AccountRoutes,
    AlertRoutes,
    InsightsRoutes,
    IssueRoutes,
    MaskingRoutes,
    ScoreRoutes,
    TraceRoutes,
    WorkspaceRoutes {}

/** Method and path, for example `GET /api/traces/:id`. */
export type RouteName = keyof Routes;

/** The query parameters of a route, by name; none if its row has no `query`. */
export type RouteQuery<Name extends RouteName> = Routes[Name] extends { query: infer Query } ? Query : Empty;

type Empty = Record<never, never>;

type ParamName<Path> = Path extends `${infer Before}/${infer After}`
  ? ParamName<Before> | ParamName<After>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** A parameter may be missing, empty or undefined: then it is not sent. */
type Lenient<Query> = {
  [Name in keyof Query]: Empty extends Pick<Query, Name> ? Query[Name] | undefined : Query[Name];
};

/** A property that may be left out if nothing in it is required. */
type Input<Key extends string, Value> = keyof Value extends never
  ? Empty
  : Empty extends Value
    ? { [Name in Key]?: Value }
    : { [Name in Key]: Value };

/** The body of a request. */
export type RouteBody<Name extends RouteName> = Routes[Name] extends { body: infer Body extends z.ZodType }
  ? z.input<Body>
  : undefined;

/** What a client says in a request: the parameters in the path, the query and the body. */
export type RouteInput<Name extends RouteName> = Input<
  "params",
  { [Param in ParamName<Name>]: string | number }
> &
  Input<"query", Lenient<RouteQuery<Name>>> &
  (Routes[Name] extends { body: infer Body extends z.ZodType } ? { body: z.input<Body> } : Empty);

/** The arguments of a call. Without anything that is required, all of it can be left out. */
export type RouteArguments<Name extends RouteName, Options = Empty> =
  Empty extends RouteInput<Name>
    ? [options?: RouteInput<Name> & Options]
    : [options: RouteInput<Name> & Options];

type Output<Name extends RouteName> = z.output<Routes[Name]["response"]>;

/** What a route returns. A list has `nextCursor` only if the query has a cursor. */
export type RouteResponse<Name extends RouteName> = "cursor" extends keyof RouteQuery<Name>
  ? Output<Name>
  : Exclude<Output<Name>, { nextCursor: unknown }>;
