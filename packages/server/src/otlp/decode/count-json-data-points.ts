import { within } from "./field-error.ts";
import { listField, objectField } from "./json-fields.ts";
import { scanJsonRequest } from "./scan-json-request.ts";

const METRICS = { resources: "resourceMetrics", scopes: "scopeMetrics", items: "metrics" };

/** The fields of a metric that hold data points. */
const DATA_FIELDS = ["gauge", "sum", "histogram", "exponentialHistogram", "summary"];

/** Counts the data points of an ExportMetricsServiceRequest and checks no more of it than that needs. */
export function* countJsonDataPoints(body: Buffer): Generator<undefined, number> {
  let count = 0;
  yield* scanJsonRequest(body, METRICS, () => () => (metric) => {
    for (const name of DATA_FIELDS) {
      const data = objectField(metric, name);
      count += within(name, () => listField(data, "dataPoints").length);
    }
  });
  return count;
}
