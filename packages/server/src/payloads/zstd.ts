import { promisify } from "node:util";
import {
  constants,
  createZstdDecompress,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";

/** Higher levels save a few percent for twice the time. */
const LEVEL = 1;
/**
 * Compressing so much takes about 1 ms. On another thread it takes half as much CPU time again, so only larger content, a
 * single huge payload, is compressed and decompressed there.
 */
const MAX_INLINE_BYTES = 1024 * 1024;

const compressOffThread = promisify(zstdCompress);
const decompressOffThread = promisify(zstdDecompress);

const compression = (content: Uint8Array) => ({
  params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  // Tables are sized for the content, which saves time for small content.
  pledgedSrcSize: content.length,
});

/**
 * The output comes in one piece, so nothing is concatenated. The piece has a byte to spare: Node.js asks for another one
 * when the last is full, which takes as long again.
 */
const decompression = (rawBytes: number) => ({
  chunkSize: Math.max(rawBytes + 1, 64),
  maxOutputLength: Math.max(rawBytes, 1),
});

export const isInline = (rawBytes: number) => rawBytes <= MAX_INLINE_BYTES;

export const compressInline = (content: Uint8Array): Buffer =>
  zstdCompressSync(content, compression(content));

export const compress = (content: Uint8Array): Promise<Buffer> =>
  compressOffThread(content, compression(content));

export const decompressInline = (frame: Uint8Array, rawBytes: number): Buffer =>
  zstdDecompressSync(frame, decompression(rawBytes));

export async function decompress(frame: Uint8Array, rawBytes: number): Promise<Buffer> {
  return isInline(rawBytes)
    ? decompressInline(frame, rawBytes)
    : decompressOffThread(frame, decompression(rawBytes));
}

/** Decompresses only the first `bytes` of the content. */
export async function decompressBeginning(frame: Uint8Array, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const content = createZstdDecompress();
  content.end(frame);
  for await (const piece of content) {
    pieces.push(piece);
    length += piece.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}
