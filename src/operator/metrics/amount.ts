/**
 * An amount that can be one: of what is negative, or more than a number tells exactly, nothing is known. Whoever plays the
 * service of one account would otherwise take from, or drown, the sums over all accounts. Pure.
 */
export function amount(value: number | undefined): number | undefined {
  return value !== undefined && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
