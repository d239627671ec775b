/** How much of an answer is read at the most. What goes beyond is refused: the service, or who plays it, is not trusted. */
export interface AnswerBound {
  readonly bytes: number;
  /** Values in its JSON, for small ones cost many times their length in memory. */
  readonly values: number;
}

const MiB = 1024 * 1024;

/**
 * `item`: one resource, or the answer to a write. `list`: a page of a thousand, of which the largest SIMs the service
 * allows make 2.5 MiB and 50,000 values. `picture`: of a screen.
 */
export const answerBounds = {
  item: { bytes: MiB / 2, values: 50_000 },
  list: { bytes: 4 * MiB, values: 150_000 },
  picture: { bytes: 8 * MiB, values: 1000 },
} as const satisfies Record<string, AnswerBound>;

/** Of an answer that is no success no more than this is read; bytes. */
export const errorBodyBytes = MiB / 4;

/** No answer of the service is nested deeper. */
export const DEEPEST_ANSWER = 64;

/** A pause or a delay that the service asks for lasts no longer; seconds. */
export const LONGEST_RETRY_AFTER_SECONDS = 3600;

/** `8 MiB`, `512 KiB`. */
export function sizeText(bytes: number): string {
  return bytes >= MiB ? `${Math.round(bytes / MiB)} MiB` : `${Math.ceil(bytes / 1024)} KiB`;
}

/** An answer was larger than is read of it. Internal to the client. */
export class AnswerTooLarge extends Error {
  /** As far as the answer says; bytes. */
  readonly announced: number | undefined;
  readonly bound: number;

  constructor(announced: number | undefined, bound: number) {
    super('the answer is too large');
    this.announced = announced;
    this.bound = bound;
  }
}

/** Too much came in at once, over all accounts, and this answer was the largest. Internal to the client. */
export class AnswerGaveWay extends Error {}
