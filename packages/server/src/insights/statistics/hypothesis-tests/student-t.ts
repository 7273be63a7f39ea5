import { normalTail, Z_95 } from "./normal-tail.ts";

/** Wallace's transformation: the standard normal value with the same tail as Student's t, right within 1 % from 5 degrees on. */
const factor = (degreesOfFreedom: number) => (8 * degreesOfFreedom + 1) / (8 * degreesOfFreedom + 3);

/** The probability that Student's t is at least as far from 0, on either side. */
export const studentTail = (t: number, degreesOfFreedom: number) =>
  normalTail(factor(degreesOfFreedom) * Math.sqrt(degreesOfFreedom * Math.log1p((t * t) / degreesOfFreedom)));

/** Half the width of a 95 % interval, in standard errors. */
export const studentQuantile95 = (degreesOfFreedom: number) =>
  Math.sqrt(degreesOfFreedom * Math.expm1((Z_95 / factor(degreesOfFreedom)) ** 2 / degreesOfFreedom));
