import { ProtobufReader } from "./protobuf-reader.ts";

/** The fields of Metric that hold data points: gauge, sum, histogram, exponential histogram, summary. */
const DATA_FIELDS = new Set([5, 7, 9, 10, 11]);

/** Counts the data points of an ExportMetricsServiceRequest and checks no more of it than that needs. */
export function* countProtobufDataPoints(body: Buffer): Generator<undefined, number> {
  const reader = new ProtobufReader(body);
  let count = 0;
  while (reader.next())
    if (reader.field === 1) count += yield* countInResourceMetrics(reader);
    else reader.skip();
  return count;
}

function* countInResourceMetrics(reader: ProtobufReader): Generator<undefined, number> {
  const outerEnd = reader.enter();
  let count = 0;
  while (reader.next())
    if (reader.field === 2) count += yield* countInScopeMetrics(reader);
    else reader.skip();
  reader.leave(outerEnd);
  return count;
}

function* countInScopeMetrics(reader: ProtobufReader): Generator<undefined, number> {
  const outerEnd = reader.enter();
  let count = 0;
  while (reader.next()) {
    if (reader.field === 2) count += countInMetric(reader);
    else reader.skip();
    if (reader.isPauseDue()) yield;
  }
  reader.leave(outerEnd);
  return count;
}

function countInMetric(reader: ProtobufReader): number {
  const outerEnd = reader.enter();
  let count = 0;
  while (reader.next())
    if (DATA_FIELDS.has(reader.field)) count += countDataPoints(reader);
    else reader.skip();
  reader.leave(outerEnd);
  return count;
}

function countDataPoints(reader: ProtobufReader): number {
  const outerEnd = reader.enter();
  let count = 0;
  while (reader.next()) {
    if (reader.field === 1) count += 1;
    reader.skip();
  }
  reader.leave(outerEnd);
  return count;
}
