import type { ModelInfo, ModelPrice } from "@pydantic/genai-prices";
import { modelNames } from "./model-names.ts";
import type { Rate, TokenPrice } from "./token-price.ts";

/** A price of the list, and whose price it is: `openai/gpt-4o`. A model may have the price of a relative. */
interface ListPrice {
  source: string;
  price: TokenPrice;
}

type CalcPrice = typeof import("@pydantic/genai-prices").calcPrice;

/** The names of models come from workspaces. */
const MAX_REMEMBERED = 2_000;
const MINUTE_MS = 60_000;

/** The public prices of models. Looking one up takes 0.2 ms, so what was found is remembered. */
export class PriceList {
  readonly #calcPrice: CalcPrice;
  readonly #found = new Map<string, ListPrice | null>();

  constructor(calcPrice: CalcPrice) {
    this.#calcPrice = calcPrice;
  }

  /** The price of a model at a time; null if the list does not have it. */
  find(model: string, atMs: number): ListPrice | null {
    // A price that changes with time is found again for each minute.
    const key = this.#found.has(model) ? model : `${model}\n${Math.floor(atMs / MINUTE_MS)}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    const found = this.#lookUp(model, new Date(atMs));
    const isConstant = !found || !Array.isArray(found.info.prices);
    const price = found && listPrice(found.provider, found.info, found.prices);
    this.#found.set(isConstant ? model : key, price);
    return price;
  }

  #lookUp(sent: string, timestamp: Date) {
    for (const { model, provider } of modelNames(sent)) {
      const found = this.#calcPrice({}, model, { timestamp, ...(provider && { providerId: provider }) });
      if (found) return { provider: found.provider.id, info: found.model, prices: found.model_price };
    }
    return null;
  }
}

function listPrice(provider: string, { id }: ModelInfo, prices: ModelPrice): ListPrice | null {
  const { input_mtok: input, output_mtok: output, requests_kcount } = prices;
  // Without a price of input, the model is paid by the hour, page or picture, which usage does not say.
  if (input === undefined) return null;
  const price = {
    input,
    output: output ?? 0,
    cacheRead: prices.cache_read_mtok,
    cacheWrite: prices.cache_write_mtok,
    reasoning: prices.output_reasoning_mtok,
    perCall: typeof requests_kcount === "number" ? requests_kcount / 1_000 : undefined,
  } satisfies Record<string, Rate | undefined>;
  return { source: id.startsWith(`${provider}/`) ? id : `${provider}/${id}`, price };
}

let loaded: Promise<PriceList> | undefined;

/** Loads the list when it is needed for the first time: it takes 15 MB and 50 ms. */
export function loadPriceList(): Promise<PriceList> {
  loaded ??= import("@pydantic/genai-prices").then(({ calcPrice }) => new PriceList(calcPrice));
  return loaded;
}
