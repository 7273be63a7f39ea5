import type { Random } from "./random.ts";

const FIRST_NAMES = [
  "Amara",
  "Jonas",
  "Priya",
  "Mateo",
  "Ingrid",
  "Kenji",
  "Leila",
  "Tomasz",
  "Nia",
  "Oliver",
  "Sofia",
  "Hassan",
  "Grace",
  "Lukas",
  "Mei",
  "Diego",
  "Hanna",
  "Samuel",
  "Yara",
  "Emil",
] as const;
const LAST_NAMES = [
  "Okafor",
  "Lindqvist",
  "Raman",
  "Fuentes",
  "Berg",
  "Tanaka",
  "Haddad",
  "Nowak",
  "Mensah",
  "Clarke",
  "Rossi",
  "Aziz",
  "Whitfield",
  "Brandt",
  "Chen",
  "Moreno",
  "Virtanen",
  "Adeyemi",
  "Costa",
  "Keller",
] as const;
const STREETS = [
  "Harbour Street",
  "Mill Lane",
  "Rosenweg",
  "Via Garibaldi",
  "Oak Avenue",
  "Station Road",
] as const;
const CITIES = ["Leeds", "Hamburg", "Porto", "Malmö", "Lyon", "Galway", "Utrecht", "Turin"] as const;
const GOODS = [
  ["Trail 30 backpack", 129],
  ["Merino crew, size M", 84.5],
  ["Enamel kettle", 46],
  ["Desk lamp, brass", 98],
  ["Running shoes, 42", 139.9],
  ["Linen duvet set", 189],
  ["Pour-over set", 54],
  ["Rain jacket, navy", 164],
  ["Noise-cancelling headphones", 249],
  ["Cast-iron pan, 28 cm", 72],
  ["Yoga mat, cork", 68],
  ["Wool blanket", 115],
] as const;
const CARRIERS = ["DHL", "PostNord", "UPS", "Royal Mail", "GLS"] as const;

export interface Customer {
  id: string;
  name: string;
  email: string;
  plan: "standard" | "plus";
  address: string;
  order: { depot: string; id: string; item: string; total: number; carrier: string; state: string };
}

export function randomCustomer(random: Random): Customer {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const [item, total] = random.pick(GOODS);
  return {
    id: `cus_${random.hex(8)}`,
    name: `${first} ${last}`,
    email: `${first}.${last}@example.com`.toLowerCase(),
    plan: random.chance(0.3) ? "plus" : "standard",
    address: `${random.between(1, 180)} ${random.pick(STREETS)}, ${random.pick(CITIES)}`,
    order: {
      depot: random.pick(["Leeds", "Cologne", "Lyon"]),
      id: `A-${random.between(1_000, 9_899)}`,
      item,
      total,
      carrier: random.pick(CARRIERS),
      state: random.pick(["delivered", "delivered", "in transit", "label created"]),
    },
  };
}
