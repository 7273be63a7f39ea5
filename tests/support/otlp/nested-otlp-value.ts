/** The protobuf of an AnyValue that is an array of an array of an array and so on, about this many bytes long. */
export function nestedOtlpValue(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let start = size;
  const prepend = (tag: number) => {
    const length: number[] = [];
    let rest = size - start;
    for (; rest > 0x7f; rest >>>= 7) length.push((rest & 0x7f) | 0x80);
    length.push(rest);
    start -= length.length + 1;
    bytes.set([tag, ...length], start);
  };
  while (start > 12) {
    prepend(0x2a);
    prepend(0x0a);
  }
  prepend(0x2a);
  return bytes.subarray(start);
}
