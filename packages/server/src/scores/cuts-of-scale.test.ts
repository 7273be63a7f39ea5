import { expect, it } from "vitest";
import { cutsOfScale } from "./cuts-of-scale.ts";

it.each([
  [{ min: 0.1, max: 0.98 }, [0.25, 0.5, 0.75]],
  [{ min: 1, max: 5 }, [2, 3, 4]],
  [{ min: 0, max: 9.5 }, [3, 5, 7]],
  [{ min: 12, max: 97 }, [25, 50, 75]],
  [{ min: -1, max: 1 }, [-0.5, 0, 0.5]],
  [{ min: 200, max: 1_234 }, [460, 720, 980]],
  [{ min: 300, max: 300 }, []],
  [{ min: -1e308, max: 1e308 }, [-5e307, 0, 5e307]],
])("numbers in %j are cut at %j: round numbers of the scale that they seem to have", (scale, cuts) => {
  expect(cutsOfScale(scale)).toEqual(cuts);
});
