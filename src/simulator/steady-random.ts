/** A 32-bit FNV-1a hash: what looks random but is the same for the same text, so figures repeat from run to run. */
export function steadyHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  return hash >>> 0;
}

/** The hash as a fraction, 0 (included) to 1 (not). */
export function steadyFraction(text: string): number {
  return steadyHash(text) / 0x1_0000_0000;
}
