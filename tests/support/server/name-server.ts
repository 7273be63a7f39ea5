import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterFile } from "../after-file.ts";

const HEADER_BYTES = 12;
const NOT_FOUND = 3;

/** A name server on loopback that knows the TXT records of the test. */
export class TestNameServer {
  /** By name, in lower case. */
  readonly records = new Map<string, string>();
  readonly #socket = createSocket("udp4");

  /** Listens, and returns its address for DNS_SERVERS. */
  async start(): Promise<string> {
    this.#socket.on("message", (query, { port, address }) => {
      this.#socket.send(this.#answer(query), port, address);
    });
    this.#socket.bind(0, "127.0.0.1");
    await once(this.#socket, "listening");
    afterFile(async () => {
      this.#socket.close();
    });
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  #answer(query: Buffer): Buffer {
    const labels: string[] = [];
    let end = HEADER_BYTES;
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString("latin1", end + 1, end + 1 + length));
      end += 1 + length;
    }
    // After the name: one zero, the type and the class.
    const question = query.subarray(HEADER_BYTES, end + 5);
    const text = this.records.get(labels.join(".").toLowerCase());
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0]);
    query.copy(header, 0, 0, 2);
    if (text === undefined) {
      header[3] = 0x80 | NOT_FOUND;
      return Buffer.concat([header, question]);
    }
    header[7] = 1;
    const value = Buffer.from(text, "latin1");
    // A pointer to the name of the question, TXT, IN, 60 seconds, and the length of the data.
    const record = Buffer.from([
      0xc0,
      HEADER_BYTES,
      0,
      16,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      value.length + 1,
      value.length,
    ]);
    return Buffer.concat([header, question, record, value]);
  }
}
