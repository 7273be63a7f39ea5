import { type Context, currentContext, enterContext } from "./global-state.ts";
import type { SpanHandle } from "./types.ts";

/**
 * The context of a LangChain run. A callback cannot wrap the code of its run; it can only enter a context, and the code
 * that LangChain calls next inherits it. The caller of the run inherits it, too, if LangChain has not awaited anything
 * yet. Therefore the context means the caller's one until the run's code can have started, and again after its end.
 */
export class RunContext implements Context {
  readonly #own: Context;
  readonly #outer: Context | undefined;
  #isRunning = false;
  #isEnded = false;

  /** Returns undefined if there is nothing to record. Does nothing in a runtime whose context cannot be entered. */
  static enter(span: SpanHandle): RunContext | undefined {
    const outer = currentContext();
    const own = span.run(currentContext);
    if (!own) return undefined;
    const context = new RunContext(own, outer instanceof RunContext ? outer.#meant : outer);
    enterContext(context);
    return context;
  }

  private constructor(own: Context, outer: Context | undefined) {
    this.#own = own;
    this.#outer = outer;
    // LangChain awaits its callbacks, so the run's code starts after this microtask.
    queueMicrotask(() => {
      this.#isRunning = true;
    });
  }

  leave(): void {
    this.#isEnded = true;
  }

  get #meant(): Context | undefined {
    return this.#isRunning && !this.#isEnded ? this.#own : this.#outer;
  }

  get trace(): Context["trace"] {
    // A trace that is over means that there is no current trace.
    return this.#meant?.trace ?? Object.create(this.#own.trace, { isOver: { value: true } });
  }

  get scope(): Context["scope"] {
    return (this.#meant ?? this.#own).scope;
  }
}
