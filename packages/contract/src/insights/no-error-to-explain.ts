/** The text of the error, status 404, if neither the trace nor the span failed whose error is to be explained. */
export const NO_ERROR_TO_EXPLAIN = "There is no error here";
