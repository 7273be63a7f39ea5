import { chiSquaredTail } from "./chi-squared-tail.ts";

/** Half the width of a 95 % interval, in standard errors. */
export const Z_95 = 1.959963984540054;

/** The probability that a standard normal variable is at least as far from 0 as z, on either side. */
export const normalTail = (z: number) => chiSquaredTail(z * z, 1);
