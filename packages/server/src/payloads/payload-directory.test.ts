import fc from "fast-check";
import { expect, it } from "vitest";
import { PACKED_FIELDS, type PACKED_KINDS } from "./packed-fields.ts";
import { DirectoryWriter, decodeDirectory, type PackedChild } from "./payload-directory.ts";

const lengths = fc.option(fc.integer({ min: 0, max: 10 * 1024 * 1024 }), { nil: null });
const children = (kind: (typeof PACKED_KINDS)[number]) =>
  fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { maxLength: 20 }).chain((positions) =>
    fc.tuple(
      ...positions
        .toSorted((a, b) => a - b)
        .map((position) =>
          fc
            .array(lengths, {
              minLength: PACKED_FIELDS[kind].length,
              maxLength: PACKED_FIELDS[kind].length,
            })
            .map((own) => ({ kind, position, lengths: own })),
        ),
    ),
  );

it("finds every payload of a part where it was written", () => {
  fc.assert(
    fc.property(children("spans"), children("events"), (spans, events) => {
      const directory = new DirectoryWriter();
      let start = 0;
      const expected: PackedChild[] = [];
      for (const child of [...spans, ...events]) {
        directory.addChild(child.kind, child.position);
        for (const length of child.lengths) directory.addLength(child.kind, length);
        expected.push({ ...child, start });
        start += child.lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
      }
      fc.pre(start < 2 ** 31);
      expect(decodeDirectory(directory.encode(start))).toEqual({ contentLength: start, children: expected });
    }),
  );
});

it("refuses a directory that is cut off, of another version, or of other content", () => {
  const directory = new DirectoryWriter();
  directory.addChild("spans", 300);
  for (const length of [5, null, 7]) directory.addLength("spans", length);
  const bytes = directory.encode(12);
  expect(() => decodeDirectory(bytes.subarray(0, -2))).toThrow("cut off");
  expect(() => decodeDirectory(Buffer.from([9, ...bytes.subarray(1)]))).toThrow("unknown version 9");
  expect(() => decodeDirectory(directory.encode(13))).toThrow("does not match");
});
