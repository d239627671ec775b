import { type Arrivals, type KnownCertificates, nextLook } from './known.ts';

/** What decides whether the certificates on a site are looked at before the pass goes on. Times are monotonic milliseconds. */
export interface Sighting {
  readonly known: KnownCertificates | undefined;
  /** The certificate of the Secret with its chain; undefined: it has none that may go on the site. */
  readonly wanted: string | undefined;
  /** It differs from what the site has, as far as is known. */
  readonly isOther: boolean;
  /** Whether it may go on the site, or the resource only observes. */
  readonly writes: boolean;
  /** Uploads that may still arrive, and of them what this process has sent. */
  readonly arrivals: Arrivals;
  readonly unanswered: Arrivals;
  /** What became of something that was sent is not on record. */
  readonly isPending: boolean;
  /** What is known was read before another resource's upload to the site was over. */
  readonly isOvertaken: boolean;
  /** The list of sites shows another certificate. */
  readonly isContradicted: boolean;
  /** A person asked for a look. */
  readonly isAsked: boolean;
  /** It is the resource's turn to be looked at. */
  readonly isDue: boolean;
  readonly now: number;
}

/** What comes before the plan. */
export type Look =
  | { readonly do: 'wait'; readonly milliseconds: number; readonly until: 'to be sent' | 'there' }
  | {
      readonly do: 'read';
      /** `upload`: without it no certificate may go on the site. */
      readonly lane: 'upload' | 'list' | 'verify' | 'audit';
      /** What it is read for: nothing that may go there before it is read again. */
      readonly readFor: string | undefined;
      /** Something was sent that may have arrived since what is known. */
      readonly mayHaveArrived: boolean;
      /** There is nothing to do as far as is known. */
      readonly unchanged: boolean;
    };

/**
 * Whether the site has to be looked at before anything else, or an upload that may still arrive waited for. Before a
 * certificate goes on a site it always is, for an upload too many costs the true previous one. Pure.
 */
export function lookBefore(sighting: Sighting): Look | undefined {
  const { known, wanted, isOther, writes, arrivals, now } = sighting;
  // What was read before the last upload that may arrive proves nothing.
  const isEarly = known !== undefined && known.at < arrivals.until;
  if (isOther && writes && (known?.value.readFor !== wanted || sighting.isOvertaken || isEarly)) {
    const wait = nextLook(arrivals, known?.at, now) - now;
    if (wait > 0) return { do: 'wait', milliseconds: wait, until: 'to be sent' };
    // What an upload that is still held would bring may show meanwhile; what does not show proves nothing yet.
    const readFor = now < arrivals.until ? undefined : wanted;
    return { do: 'read', lane: 'upload', readFor, mayHaveArrived: false, unchanged: false };
  }
  const isDoubtful = known !== undefined && isInDoubt(known, isEarly, sighting);
  const { isContradicted, isAsked } = sighting;
  // Versions that did not record the chain; it is read once, when there is time.
  const lacksChain = known?.source === 'recorded' && known.value.current !== undefined && !known.value.current.chain;
  if (known && !isContradicted && !sighting.isDue && !lacksChain && !isDoubtful) return undefined;
  const wait = isDoubtful ? Math.ceil(arrivals.until - now) : 0;
  if (wait > 0) return { do: 'wait', milliseconds: wait, until: isOther ? 'to be sent' : 'there' };
  return {
    do: 'read',
    // Not 'verify', even where somebody asked: a part of the hour is kept for writes.
    lane: isAsked || !known || isContradicted ? 'list' : isDoubtful ? 'verify' : 'audit',
    readFor: writes ? wanted : undefined,
    mayHaveArrived: isDoubtful,
    unchanged: known !== undefined && !isContradicted && !isOther && !isDoubtful,
  };
}

/** What was sent and not answered is not on record; and who sent something to a bare site may not have been the first. */
function isInDoubt(known: KnownCertificates, isEarly: boolean, { isPending, unanswered }: Sighting): boolean {
  if (known.source === 'recorded' && isPending) return true;
  return known.at < unanswered.until || (known.source === 'answered' && isEarly);
}
