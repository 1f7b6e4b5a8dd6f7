import { chmodSync, closeSync, createWriteStream, openSync, type WriteStream } from 'node:fs';
import { PlugfestError } from '@plugfest/model';

/**
 * Secrets of TLS connections in the NSS format, with which Wireshark reads what was captured. Whoever has the file
 * can do the same, so it is its owner's alone.
 */
export class KeyLog implements AsyncDisposable {
  private readonly stream: WriteStream;
  private failed = false;

  private constructor(stream: WriteStream, onFailure: (error: Error) => void) {
    this.stream = stream;
    stream.on('error', (error) => {
      this.failed = true;
      onFailure(error);
    });
  }

  /** Appends to `file`. Throws where it cannot be opened; what fails later is told to `onFailure`. */
  static open(file: string, onFailure: (error: Error) => void = () => undefined): KeyLog {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, 'a', 0o600);
      chmodSync(file, 0o600);
    } catch (cause) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw new PlugfestError('PLUGFEST_OUTPUT', `The TLS key log cannot be written: ${file}`, {
        hint: 'Choose another file.',
        cause,
      });
    }
    return new KeyLog(createWriteStream(file, { fd: descriptor }), onFailure);
  }

  /** A line as Node.js gives it, with its newline. */
  readonly write = (line: Buffer): void => {
    if (!this.failed) this.stream.write(line);
  };

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.failed) return;
    await new Promise<void>((done) => this.stream.close(() => done()));
  }
}
