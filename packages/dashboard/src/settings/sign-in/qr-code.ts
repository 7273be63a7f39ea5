/*
 * QR codes (ISO/IEC 18004) of short texts: byte mode, error correction level M, versions 1 to 20, mask 0 to 7 by the
 * standard's penalty.
 */

/** Error correction codewords of a block, and blocks, by version; the first is version 1. */
const ECC_PER_BLOCK = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
/** Level M in the format bits. */
const LEVEL_BITS = 0;

const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

type Matrix = boolean[][];

/** The modules of the code, row by row; true is dark. Undefined if the text is too long. */
export function qrCode(text: string): Matrix | undefined {
  const bytes = new TextEncoder().encode(text);
  const version = ECC_PER_BLOCK.findIndex((_, index) => bytes.length <= capacityOf(index + 1)) + 1;
  if (version === 0) return undefined;
  const codewords = interleave(version, dataCodewords(version, bytes));
  const { matrix, isFunction } = drawFunctions(version);
  placeCodewords(matrix, isFunction, codewords);
  const candidates = MASKS.map((mask, number) => {
    const masked = matrix.map((row, y) => row.map((dark, x) => dark !== (!isFunction[y]?.[x] && mask(x, y))));
    drawFormat(masked, number);
    return masked;
  });
  return candidates.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best));
}

const sizeOf = (version: number) => 17 + 4 * version;

/** Modules that are free for data. */
function rawModules(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const count = Math.floor(version / 7) + 2;
    modules -= (25 * count - 10) * count - 55;
    if (version >= 7) modules -= 36;
  }
  return modules;
}

const at = (list: readonly number[], version: number) => list[version - 1] ?? 0;
const totalCodewords = (version: number) => Math.floor(rawModules(version) / 8);
const dataLength = (version: number) =>
  totalCodewords(version) - at(ECC_PER_BLOCK, version) * at(BLOCKS, version);
const countBits = (version: number) => (version < 10 ? 8 : 16);
const capacityOf = (version: number) => Math.floor((dataLength(version) * 8 - 4 - countBits(version)) / 8);

function dataCodewords(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = [];
  const append = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
  };
  append(4, 4);
  append(bytes.length, countBits(version));
  for (const byte of bytes) append(byte, 8);
  const capacity = dataLength(version) * 8;
  append(0, Math.min(4, capacity - bits.length));
  append(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) append(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

/** Multiplies in GF(2^8) with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

function generatorOf(degree: number): number[] {
  const generator: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0));
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let index = 0; index < degree; index += 1)
      generator[index] = multiply(generator[index] ?? 0, root) ^ (generator[index + 1] ?? 0);
    root = multiply(root, 2);
  }
  return generator;
}

function remainderOf(data: readonly number[], generator: readonly number[]): number[] {
  const remainder = generator.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0);
    remainder.push(0);
    generator.forEach((coefficient, index) => {
      remainder[index] = (remainder[index] ?? 0) ^ multiply(coefficient, factor);
    });
  }
  return remainder;
}

/** Divides data into blocks, adds the error correction of each, and takes one codeword of each block in turn. */
function interleave(version: number, data: readonly number[]): number[] {
  const blocks = at(BLOCKS, version);
  const eccLength = at(ECC_PER_BLOCK, version);
  const generator = generatorOf(eccLength);
  const short = Math.floor(totalCodewords(version) / blocks) - eccLength;
  const shortBlocks = blocks - (totalCodewords(version) % blocks);
  let start = 0;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const part = data.slice(start, start + short + (index < shortBlocks ? 0 : 1));
    start += part.length;
    return { part, ecc: remainderOf(part, generator) };
  });
  const inTurn = (lists: (readonly number[])[], length: number) =>
    Array.from({ length }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
  return [
    ...inTurn(
      parts.map(({ part }) => part),
      short + 1,
    ),
    ...inTurn(
      parts.map(({ ecc }) => ecc),
      eccLength,
    ),
  ];
}

function alignmentPositions(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = sizeOf(version) - 7;
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)];
}

/** Draws everything but data and format; `isFunction` says which modules data must not use. */
function drawFunctions(version: number) {
  const size = sizeOf(version);
  const grid = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const [matrix, isFunction] = [grid(), grid()];
  const set = (x: number, y: number, dark: boolean) => {
    const [row, functions] = [matrix[y], isFunction[y]];
    if (!row || !functions || x < 0 || x >= size) return;
    row[x] = dark;
    functions[x] = true;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [centreX, centreY] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        set(centreX + dx, centreY + dy, distance !== 2 && distance !== 4);
      }
  const positions = alignmentPositions(version);
  const [first, last] = [positions[0], positions.at(-1)];
  for (const x of positions)
    for (const y of positions) {
      const isFinder =
        (x === first && y === first) || (x === first && y === last) || (x === last && y === first);
      if (isFinder) continue;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  // Reserves the places of the format, which depends on the mask.
  for (let index = 0; index < 9; index += 1) {
    if (index !== 6) {
      set(8, index, false);
      set(index, 8, false);
    }
    if (index < 8) {
      set(size - 1 - index, 8, false);
      set(8, size - 1 - index, false);
    }
  }
  if (version >= 7) {
    let remainder = version;
    for (let step = 0; step < 12; step += 1) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25);
    const bits = (version << 12) | remainder;
    for (let index = 0; index < 18; index += 1) {
      const dark = ((bits >>> index) & 1) === 1;
      const [a, b] = [size - 11 + (index % 3), Math.floor(index / 3)];
      set(a, b, dark);
      set(b, a, dark);
    }
  }
  return { matrix, isFunction };
}

function drawFormat(matrix: Matrix, mask: number) {
  const size = matrix.length;
  const data = (LEVEL_BITS << 3) | mask;
  let remainder = data;
  for (let step = 0; step < 10; step += 1) remainder = (remainder << 1) ^ ((remainder >>> 9) * 0x537);
  const bits = ((data << 10) | remainder) ^ 0x5412;
  const set = (x: number, y: number, index: number) => {
    const row = matrix[y];
    if (row) row[x] = ((bits >>> index) & 1) === 1;
  };
  for (let index = 0; index <= 5; index += 1) set(8, index, index);
  set(8, 7, 6);
  set(8, 8, 7);
  set(7, 8, 8);
  for (let index = 9; index < 15; index += 1) set(14 - index, 8, index);
  for (let index = 0; index < 8; index += 1) set(size - 1 - index, 8, index);
  for (let index = 8; index < 15; index += 1) set(8, size - 15 + index, index);
  const row = matrix[size - 8];
  if (row) row[8] = true;
}

/** Fills two columns at a time, from the right, upwards and downwards in turn. */
function placeCodewords(matrix: Matrix, isFunction: Matrix, codewords: readonly number[]) {
  const size = matrix.length;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step += 1)
      for (const x of [right, right - 1]) {
        const isUpward = ((right + 1) & 2) === 0;
        const y = isUpward ? size - 1 - step : step;
        const row = matrix[y];
        if (!row || isFunction[y]?.[x] || bit >= codewords.length * 8) continue;
        row[x] = (((codewords[bit >>> 3] ?? 0) >>> (7 - (bit & 7))) & 1) === 1;
        bit += 1;
      }
  }
}

/** How hard the code is to read: long runs, squares of one colour, what looks like a finder, imbalance. */
function penaltyOf(matrix: Matrix): number {
  const size = matrix.length;
  const columns = matrix.map((_, x) => matrix.map((row) => row[x] ?? false));
  let penalty = 0;
  for (const line of [...matrix, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
    for (const like of ["10111010000", "00001011101"])
      for (let from = text.indexOf(like); from >= 0; from = text.indexOf(like, from + 1)) penalty += 40;
  }
  for (let y = 0; y + 1 < size; y += 1)
    for (let x = 0; x + 1 < size; x += 1) {
      const dark = matrix[y]?.[x];
      if (dark === matrix[y]?.[x + 1] && dark === matrix[y + 1]?.[x] && dark === matrix[y + 1]?.[x + 1])
        penalty += 3;
    }
  const darkCount = matrix.flat().filter(Boolean).length;
  return penalty + Math.floor(Math.abs((darkCount * 20) / (size * size) - 10)) * 10;
}
