/** The zones there are. SIMs answer in each of them, a gateway or server only in its own. */
export const zones = ['tk1a', 'tk1b', 'is1a', 'is1b', 'is1c', 'tk1v'] as const;
export type Zone = (typeof zones)[number];

/** Web acceleration and the zone-shared resources are addressed there. */
export const sharedZone: Zone = 'is1a';

export function isZone(text: string): text is Zone {
  return zones.some((zone) => zone === text);
}
