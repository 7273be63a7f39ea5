import { KeyTable } from "../../days/key-table.ts";
import type { ClaimKind } from "../list/option-test.ts";
import { LAG_COUNT } from "./lags.ts";

const PAIR = 0;
const OMISSION = 1;

/**
 * Numbers what may explain a bad run: an option that was chosen some turns ago; a call after an option was chosen ("pair"); a call
 * while a usual option is left out ("omission"). Of pairs and omissions only those are numbered that a bad run has.
 */
export class CauseCells {
  readonly #calls = new KeyTable(Number.POSITIVE_INFINITY);
  readonly #firstCall: number;
  #isSealed = false;

  constructor(options: number) {
    this.#firstCall = options * LAG_COUNT;
  }

  get size(): number {
    return this.#firstCall + this.#calls.size;
  }

  lag(option: number, lag: number): number {
    return option * LAG_COUNT + lag;
  }

  /** From now on nothing is numbered that is not known. */
  seal() {
    this.#isSealed = true;
  }

  /** Undefined if it is not known, and nothing is numbered any more. */
  addPair(option: number, call: number): number | undefined {
    if (this.#isSealed) return this.findPair(option, call);
    return this.#firstCall + this.#calls.add(PAIR, option, call + 1);
  }

  addOmission(option: number, call: number): number | undefined {
    if (this.#isSealed) return this.findOmission(option, call);
    return this.#firstCall + this.#calls.add(OMISSION, option, call + 1);
  }

  /** Undefined if no bad run has it. */
  findPair(option: number, call: number): number | undefined {
    return this.#found(this.#calls.find(PAIR, option, call + 1));
  }

  findOmission(option: number, call: number): number | undefined {
    return this.#found(this.#calls.find(OMISSION, option, call + 1));
  }

  kindOf(cell: number): ClaimKind {
    return this.isPair(cell) || cell < this.#firstCall ? "chose" : "left out";
  }

  isPair(cell: number): boolean {
    return cell >= this.#firstCall && this.#calls.key(cell - this.#firstCall, 0) === PAIR;
  }

  optionOf(cell: number): number {
    if (cell < this.#firstCall) return Math.floor(cell / LAG_COUNT);
    return this.#calls.key(cell - this.#firstCall, 1);
  }

  /** The option that a pair or an omission is called with; undefined for others. */
  callOf(cell: number): number | undefined {
    return cell < this.#firstCall ? undefined : this.#calls.key(cell - this.#firstCall, 2) - 1;
  }

  #found(row: number): number | undefined {
    return row < 0 ? undefined : this.#firstCall + row;
  }
}
