import { TUNING } from "../src/tuning.ts";

/*
 * Preloaded into a program that a test runs. The SDK gives a program 2 s to send its traces before it ends; a slow machine may
 * need longer.
 */
TUNING.flushTimeoutMs = 60_000;
