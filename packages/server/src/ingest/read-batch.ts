import { BatchError, type ParsedTrace, parseSteps } from "@whytrace/contract";
import { runInTimeSlices } from "../concurrency/run-in-time-slices.ts";
import { HttpError } from "../http/http-error.ts";
import { addModelUsage } from "./add-model-usage.ts";
import { BATCH_SHAPE } from "./batch-shape.ts";
import { JsonLimitError, JsonSyntaxError } from "./json-errors.ts";
import { scanSteps } from "./scan-json.ts";

/** The specification says the whole body of an error, so where it is stands in a header. */
const ERROR_PATH = "x-error-path";

/** Returns the traces of a request body, or throws the error of the first check that fails. */
export async function readBatch(body: Buffer): Promise<ParsedTrace[]> {
  try {
    const batch = await runInTimeSlices(parseSteps(await runInTimeSlices(scanSteps(body, BATCH_SHAPE))));
    await runInTimeSlices(addModelUsage(batch));
    return batch;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new HttpError(400, "Invalid JSON in request body");
    if (error instanceof JsonLimitError) throw new HttpError(400, error.message);
    if (error instanceof BatchError)
      throw new HttpError(error.status, error.message, error.path === "" ? {} : { [ERROR_PATH]: error.path });
    throw error;
  }
}
