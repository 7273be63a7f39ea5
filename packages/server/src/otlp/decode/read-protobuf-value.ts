import { MAX_VALUE_DEPTH } from "./otlp-limits.ts";
import type { OtlpScope, OtlpValue } from "./otlp-span.ts";
import { doubleValue, setKey } from "./otlp-values.ts";
import type { ProtobufReader } from "./protobuf-reader.ts";
import { shortName } from "./short-name.ts";

/** Adds a KeyValue to the attributes. Of two values of one key the last counts. */
export function readAttribute(reader: ProtobufReader, attributes: Map<string, OtlpValue>) {
  const outerEnd = reader.enter();
  let key = "";
  let value: OtlpValue = null;
  while (reader.next())
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = readValue(reader, 1);
    else reader.skip();
  reader.leave(outerEnd);
  attributes.set(shortName(key), value);
}

/** Reads an AnyValue. Of several fields, of which a sender should set one, the last counts. */
export function readValue(reader: ProtobufReader, depth: number): OtlpValue {
  if (depth > MAX_VALUE_DEPTH) reader.fail(`a value must be at most ${MAX_VALUE_DEPTH} levels deep`);
  const outerEnd = reader.enter();
  let value: OtlpValue = null;
  while (reader.next())
    switch (reader.field) {
      case 1:
        value = reader.text();
        break;
      case 2:
        value = reader.boolean();
        break;
      case 3:
        value = reader.int64();
        break;
      case 4:
        value = doubleValue(reader.double());
        break;
      case 5:
        value = readArray(reader, depth);
        break;
      case 6:
        value = readMap(reader, depth);
        break;
      case 7:
        value = reader.base64();
        break;
      default:
        reader.skip();
    }
  reader.leave(outerEnd);
  return value;
}

function readArray(reader: ProtobufReader, depth: number): OtlpValue[] {
  const outerEnd = reader.enter();
  const values: OtlpValue[] = [];
  while (reader.next())
    if (reader.field === 1) values.push(readValue(reader, depth + 1));
    else reader.skip();
  reader.leave(outerEnd);
  return values;
}

function readMap(reader: ProtobufReader, depth: number): OtlpValue {
  const outerEnd = reader.enter();
  const map: { [key: string]: OtlpValue } = {};
  while (reader.next())
    if (reader.field === 1) readMapEntry(reader, depth, map);
    else reader.skip();
  reader.leave(outerEnd);
  return map;
}

function readMapEntry(reader: ProtobufReader, depth: number, map: { [key: string]: OtlpValue }) {
  const outerEnd = reader.enter();
  let key = "";
  let value: OtlpValue = null;
  while (reader.next())
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = readValue(reader, depth + 1);
    else reader.skip();
  reader.leave(outerEnd);
  setKey(map, key, value);
}

/** Adds the attributes of a Resource. */
export function readResource(reader: ProtobufReader, attributes: Map<string, OtlpValue>) {
  const outerEnd = reader.enter();
  while (reader.next())
    if (reader.field === 1) readAttribute(reader, attributes);
    else reader.skip();
  reader.leave(outerEnd);
}

/** Sets name and version of an InstrumentationScope. */
export function readScope(reader: ProtobufReader, scope: OtlpScope) {
  const outerEnd = reader.enter();
  while (reader.next())
    if (reader.field === 1) scope.name = reader.text();
    else if (reader.field === 2) scope.version = reader.text();
    else reader.skip();
  reader.leave(outerEnd);
}
