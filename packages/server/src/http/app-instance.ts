import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { CheckedSchema } from "./checked-schema.ts";

type Instance = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

type Options<Schema extends FastifySchema> = RouteShorthandOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  ZodTypeProvider,
  FastifyBaseLogger
>;

type Handler<Schema extends FastifySchema, Route extends RouteGenericInterface> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Route,
  ContextConfigDefault,
  Schema,
  ZodTypeProvider,
  FastifyBaseLogger
>;

/** Registers a route. Its schema has to be what the table of routes promises to clients. */
interface Register<Method extends string> {
  <const Path extends string, const Schema extends FastifySchema>(
    path: Path,
    options: Options<Schema> & CheckedSchema<`${Method} ${Path}`, Schema>,
    handler: Handler<Schema, RouteGenericInterface>,
  ): unknown;
  /** Pages and files have no schema. */
  <Route extends RouteGenericInterface>(path: string, handler: Handler<FastifySchema, Route>): unknown;
}

/** The Fastify instance that every slice receives: zod schemas type request bodies, parameters and responses. */
export interface App extends Omit<Instance, "get" | "post" | "put" | "patch" | "delete"> {
  get: Register<"GET">;
  post: Register<"POST">;
  put: Register<"PUT">;
  patch: Register<"PATCH">;
  delete: Register<"DELETE">;
}
