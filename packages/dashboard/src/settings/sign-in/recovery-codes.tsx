import { Button, buttonStyle } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Shows recovery codes, which nobody can show again. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <Notice tone="retry">From now on your password alone is not enough.</Notice>
      <p className="text-muted">
        Each code works once in place of your second factor. They are not shown again: store them where you
        find them without this device.
      </p>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-md border border-line bg-panel p-3 font-mono text-sm max-sm:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        <a
          href={`data:text/plain,${encodeURIComponent(text)}`}
          download="whytrace-recovery-codes.txt"
          className={buttonStyle()}
        >
          Download
        </a>
        <Button onClick={() => print()}>Print</Button>
        <Button kind="primary" onClick={onStored}>
          I have stored them
        </Button>
      </div>
    </>
  );
}
