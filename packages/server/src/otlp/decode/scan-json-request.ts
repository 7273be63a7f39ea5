import { PLAIN, type RecordFields, type Shape } from "../../ingest/json-shape.ts";
import { scanSteps } from "../../ingest/scan-json.ts";
import { FieldError } from "./field-error.ts";
import { asObject, type JsonObject, listField, objectField, snakeCase } from "./json-fields.ts";

/** How the three kinds of requests name their lists: per resource, per scope, and the items. */
interface RequestLists {
  resources: string;
  scopes: string;
  items: string;
}

/** Reads the items of a request: gets a resource, then each scope of it, then each item of the scope. */
type ItemReader = (resource: JsonObject) => (scope: JsonObject) => (item: JsonObject) => void;

/** How many items are read before a pause. */
const STEP_ITEMS = 16;

/**
 * Scans a request in steps, with the limits of the JSON scanner on depth and number of values, and parses each item on
 * its own.
 */
export function* scanJsonRequest(
  body: Buffer,
  lists: RequestLists,
  readItems: ItemReader,
): Generator<undefined> {
  const request = yield* scanSteps(body, requestShape(lists));
  let path = "";
  try {
    for (const [resourceIndex, resource] of listField(asObject(request), lists.resources).entries()) {
      path = `${lists.resources}[${resourceIndex}]`;
      const resourcePath = path;
      const readScope = readItems(objectField(asObject(resource), "resource"));
      for (const [scopeIndex, scope] of listField(asObject(resource), lists.scopes).entries()) {
        path = `${resourcePath}.${lists.scopes}[${scopeIndex}]`;
        const scopePath = path;
        const readItem = readScope(objectField(asObject(scope), "scope"));
        for (const [index, item] of listField(asObject(scope), lists.items).entries()) {
          path = `${scopePath}.${lists.items}[${index}]`;
          readItem(asObject(item));
          if (index % STEP_ITEMS === STEP_ITEMS - 1) yield;
        }
        path = resourcePath;
        yield;
      }
    }
  } catch (error) {
    throw FieldError.inside(path, error);
  }
}

const shapes = new WeakMap<RequestLists, Shape>();

function requestShape(lists: RequestLists): Shape {
  let shape = shapes.get(lists);
  if (!shape) {
    const scope = record({ scope: PLAIN, [lists.items]: { list: PLAIN } });
    const resource = record({ resource: PLAIN, [lists.scopes]: { list: scope } });
    shape = record({ [lists.resources]: { list: resource } });
    shapes.set(lists, shape);
  }
  return shape;
}

/** Each field by its lowerCamelCase name and by its snake_case name. */
function record(fields: { [name: string]: Shape }): { record: RecordFields } {
  const both = Object.entries(fields).flatMap(([name, shape]): [string, Shape][] => [
    [name, shape],
    [snakeCase(name), shape],
  ]);
  return { record: new Map(both) };
}
