import { Fragment, type ReactNode } from "react";
import { type Block, type Inline, parseGuide } from "./parse-guide.ts";

/** A page of the documentation. `children` stands above it. */
export function GuideArticle({ markdown, children }: { markdown: string; children: ReactNode }) {
  return (
    <article className="grid max-w-3xl gap-3 px-4 py-4 leading-6">
      {children}
      {parseGuide(markdown).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never change
        <BlockView key={index} block={block} />
      ))}
    </article>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "title":
      return (
        <h1 className="text-lg font-semibold">
          <Text content={block.content} />
        </h1>
      );
    case "heading":
      return (
        <h2 id={keyOf(block.content).toLowerCase()} className="scroll-mt-4 pt-3 text-base font-semibold">
          <Text content={block.content} />
        </h2>
      );
    case "subheading":
      return (
        <h3 id={keyOf(block.content).toLowerCase()} className="scroll-mt-4 pt-2 font-semibold">
          <Text content={block.content} />
        </h3>
      );
    case "paragraph":
      return (
        <p>
          <Text content={block.content} />
        </p>
      );
    case "list":
      return (
        <ul className="list-disc pl-5">
          {block.items.map((item) => (
            <li key={keyOf(item)}>
              <Text content={item} />
            </li>
          ))}
        </ul>
      );
    case "table":
      return (
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              {block.head.map((cell) => (
                <th key={keyOf(cell)} scope="col" className={`${CELL} font-semibold`}>
                  <Text content={cell} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row) => (
              <tr key={row.map(keyOf).join()}>
                {row.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells of a row may be equal, and never change
                  <td key={index} className={CELL}>
                    <Text content={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

const CELL = "border-b border-line py-1 pr-3 text-left align-top break-words";
const keyOf = (content: Inline[]) => content.map(({ text }) => text).join("");

function Text({ content }: { content: Inline[] }) {
  return content.map(({ kind, text }, index) => {
    const key = `${index} ${text}`;
    if (kind === "strong") return <strong key={key}>{text}</strong>;
    if (kind === "em") return <em key={key}>{text}</em>;
    if (kind === "code")
      return (
        <code key={key} className="rounded bg-sunken px-1 text-xs break-words">
          {text}
        </code>
      );
    return <Fragment key={key}>{text}</Fragment>;
  });
}
