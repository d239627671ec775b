/**
 * Which SIM this process is about to give a place: an address on a gateway of an account. Two that ask for a free one in the
 * same moment know of one another only by this, and the second would leave its own place for nothing.
 */
export interface Places {
  /** The ID of the SIM that is about to have it, as far as nobody decided otherwise since. */
  of(place: string): string | undefined;
  /** `uid`: of the resource that is about to do it. */
  take(uid: string, place: string, id: string): void;
  drop(uid: string): void;
}

export function createPlaces(): Places {
  const takers = new Map<string, { readonly uid: string; readonly id: string }>();
  const taken = new Map<string, string>();
  function drop(uid: string): void {
    const place = taken.get(uid);
    taken.delete(uid);
    if (place !== undefined && takers.get(place)?.uid === uid) takers.delete(place);
  }
  return {
    of: (place) => takers.get(place)?.id,
    take(uid, place, id) {
      if (taken.get(uid) !== place) drop(uid);
      taken.set(uid, place);
      takers.set(place, { uid, id });
    },
    drop,
  };
}
