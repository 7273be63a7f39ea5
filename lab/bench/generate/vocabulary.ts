const text = `the to of and a in that it is for on with as this was be by not are from at or an have has but what all
were when we there can more if no out other which do their time will how said each tell does set three want air
well also play small end put home read hand port large spell add even land here must big high such follow act why
ask change went light kind off need house picture try again animal point mother world near build self earth father
head stand own page should country found answer school grow study still learn plant cover food sun four between
state keep eye never last let thought city tree cross farm hard start might story saw far sea draw left late run
while press close night real life few north open seem together next white children begin got walk example ease
paper group always music those both mark often letter until mile river car feet care second book carry took science
eat room friend began idea fish mountain stop once base hear horse cut sure watch color face wood main enough plain
girl usual young ready above ever red list though feel talk bird soon body dog family direct pose leave song measure
door product black short numeral class wind question happen complete ship area half rock order fire south problem
piece told knew pass since top whole king space heard best hour better true during hundred five remember step early
hold west ground interest reach fast verb sing listen six table travel less morning ten simple several vowel toward
war lay against pattern slow center love person money serve appear road map rain rule govern pull cold notice voice
unit power town fine certain fly fall lead cry dark machine note wait plan figure star box noun field rest correct
able pound done beauty drive stood contain front teach week final gave green quick develop ocean warm free minute
strong special mind behind clear tail produce fact street inch multiply nothing course stay wheel full force blue
object decide surface deep moon island foot system busy test record boat common gold possible plane stead dry wonder
laugh thousand ago ran check game shape equate hot miss brought heat snow tire bring yes distant fill east paint
language among tool context retry search memory token prompt model agent schema query cache latency budget fallback
upstream timeout ticket account refund policy region shard queue worker branch commit merge review lint compile
package registry release rollback deploy metric trace span window batch stream parse index vector embed rank score`;

const [first = "the", ...others] = [...new Set(text.split(/\s+/))];

/** Several hundred words, most common first. */
export const VOCABULARY: readonly [string, ...string[]] = [first, ...others];

/** Search words, which occur in no other word; `SELECTIVITY` is the share of texts that contain them. */
export const SEARCH_WORDS = {
  name: { rare: "quicksilver", medium: "chargeback", common: "invoice" },
  reasoning: { rare: "heliotrope", medium: "escrow", common: "confidence" },
} as const;

export const SELECTIVITY = { rare: 0.0005, medium: 0.01, common: 0.2 } as const;
