/**
 * The fewest of these steps with which it still fails, as far as leaving out ever smaller pieces finds them (delta
 * debugging). `fails` is asked for candidates until `isTimeUp`; the steps given are known to fail.
 */
export async function shrink<T>(
  steps: readonly T[],
  fails: (candidate: readonly T[]) => Promise<boolean>,
  isTimeUp: () => boolean,
): Promise<readonly T[]> {
  let kept = steps;
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let start = 0; start < kept.length && !isTimeUp(); ) {
      const candidate = [...kept.slice(0, start), ...kept.slice(start + size)];
      if (await fails(candidate)) {
        kept = candidate;
        isSmaller = true;
      } else start += size;
    }
    if (isTimeUp() || (size === 1 && !isSmaller)) return kept;
    if (size > 1) size = Math.max(1, Math.floor(size / 2));
  }
  return kept;
}
