import type { Clock } from '../clock.ts';
import { KubeError } from './errors.ts';
import type { TransportAnswer } from './wire.ts';

/** How much of an answer is read: of what anybody may be behind, as of a pod through the apiserver. */
export interface Bounds {
  readonly bytes: number;
  /** From the first part of it to the last. */
  readonly milliseconds: number;
}

/** The text of an answer, which may be as large and come as slowly as the bounds say. Throws KubeError of reason `TooMuch`. */
export async function boundedText(
  body: TransportAnswer['body'],
  { bytes, milliseconds }: Bounds,
  clock: Pick<Clock, 'monotonic'>,
): Promise<string> {
  const begun = clock.monotonic();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > bytes) throw tooMuch(`larger than ${Math.floor(bytes / 1024 / 1024)} MiB`);
    if (clock.monotonic() - begun > milliseconds) throw tooMuch(`not over after ${milliseconds / 1000} seconds`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function tooMuch(how: string): KubeError {
  return new KubeError({ status: 0, reason: 'TooMuch', message: `the answer is ${how}, and was not read further` });
}
