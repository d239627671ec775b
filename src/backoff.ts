/** How long to wait after so many failures in a row, the first counted as 0: doubled with each, up to `longest`. In the unit of `first`. */
export function backoffDelay(first: number, failures: number, longest = Number.POSITIVE_INFINITY): number {
  // Beyond this no wait is of use, and numbers have an end.
  return Math.min(longest, first * 2 ** Math.min(failures, 30));
}

/** From half of it up to `most` of it by chance, so that those who failed together do not try again together. */
export function jittered(delay: number, random: () => number, most = 1): number {
  return delay * (0.5 + random() * (most - 0.5));
}
