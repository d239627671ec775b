/** The zones known to exist; SIMs belong to none and are addressed through `is1a` (`api.md`, Conventions). */
export const zones = ['is1a', 'is1b', 'is1c', 'tk1a', 'tk1b', 'tk1v'] as const;
